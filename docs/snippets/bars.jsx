export const Bars = ({ rows, unit }) => {
  const largest = Math.max(...rows.map((row) => row.value));
  return (
    <ul className="not-prose" style={{ listStyle: "none", margin: 0, padding: 0, display: "grid", gap: 14 }}>
      {rows.map((row) => (
        <li key={row.name} style={{ margin: 0, padding: 0 }}>
          <div style={{ display: "flex", justifyContent: "space-between", gap: 16, marginBottom: 4 }}>
            <span className={row.strong ? "font-semibold" : ""}>{row.name}</span>
            <span className={row.strong ? "font-semibold" : ""} style={{ fontVariantNumeric: "tabular-nums" }}>
              {row.value} {unit}
            </span>
          </div>
          <div
            aria-hidden="true"
            className={row.strong ? "bg-primary" : "bg-gray-400 dark:bg-gray-600"}
            style={{ height: 10, borderRadius: 5, minWidth: 3, width: `${(100 * row.value) / largest}%` }}
          />
        </li>
      ))}
    </ul>
  );
};
