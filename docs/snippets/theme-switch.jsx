const THEMES = [
  { name: "svc", shell: "header", radius: 10, line: "#e2e8e7", ground: "#ffffff", side: "#ffffff", ink: "#17211f", font: "inherit", note: "The classic: a full header, search in its middle." },
  { name: "maple", shell: "side", radius: 10, line: "#e4e4e0", ground: "#ffffff", side: "#fbfbf9", ink: "#1d1f1c", font: "inherit", note: "No header: logo and search above the pages." },
  { name: "palm", shell: "header", radius: 0, line: "#cfdadb", ground: "#ffffff", side: "#edf3f4", ink: "#12222b", font: "inherit", note: "From edge to edge: compact rows and dividing lines." },
  { name: "willow", shell: "side", radius: 0, line: "#dfe2df", ground: "#ffffff", side: "#eef0ee", ink: "#1b1e1b", font: "inherit", note: "Stripped back: a solid sidebar and no corner." },
  { name: "linden", shell: "header", radius: 0, line: "#17211f", ground: "#fdfdfb", side: "#fdfdfb", ink: "#17211f", font: "ui-monospace, monospace", note: "A terminal: one monospaced family, hard edges." },
  { name: "almond", shell: "header", radius: 14, line: "#e7e5df", ground: "#ffffff", side: "#f5f3ee", ink: "#221f1a", font: "inherit", note: "Cards on a tinted ground." },
  { name: "aspen", shell: "header", radius: 8, line: "#e3e6ea", ground: "#ffffff", side: "#ffffff", ink: "#1a1f27", font: "inherit", note: "For many sections: tabs as a segmented bar." },
  { name: "sequoia", shell: "header", radius: 2, line: "#e6e1d8", ground: "#fffdf9", side: "#fffdf9", ink: "#26211a", font: "ui-serif, Georgia, serif", note: "A book: serif headings, thin rules, wide margins." },
  { name: "luma", shell: "side", radius: 20, line: "#ececf1", ground: "#ffffff", side: "#f4f4f8", ink: "#1c1c24", font: "inherit", note: "Calm: one large soft panel for the text." },
];

const Bar = ({ width, color, height = 8 }) => (
  <div style={{ width, height, borderRadius: 4, background: color }} />
);

export const ThemeSwitch = () => {
  const [at, setAt] = useState(0);
  const theme = THEMES[at];
  const accent = "#0f766e";
  const faint = theme.line;
  const head = (
    <div style={{ display: "flex", gap: 16, alignItems: "center", padding: "12px 16px", borderBottom: `1px solid ${theme.line}`, background: theme.ground }}>
      <Bar width={56} color={theme.ink} height={10} />
      <div style={{ flex: 1, display: "flex", justifyContent: "center" }}>
        <div style={{ width: "60%", height: 22, border: `1px solid ${theme.line}`, borderRadius: theme.radius }} />
      </div>
      <Bar width={40} color={accent} height={18} />
    </div>
  );
  return (
    <div className="not-prose">
      <div role="group" aria-label="Theme" className="flex flex-wrap gap-2 justify-center mb-6">
        {THEMES.map((one, index) => (
          <button
            key={one.name}
            type="button"
            aria-pressed={index === at}
            onClick={() => setAt(index)}
            className={index === at ? "rounded-lg border px-3 py-1 font-medium bg-primary text-white border-primary" : "rounded-lg border px-3 py-1 font-medium"}
          >
            {one.name}
          </button>
        ))}
      </div>
      <div aria-hidden="true" style={{ border: `1px solid ${theme.line}`, borderRadius: 14, overflow: "hidden", background: theme.side, color: theme.ink, fontFamily: theme.font, maxWidth: 860, margin: "0 auto" }}>
        {theme.shell === "header" && head}
        <div style={{ display: "flex", minHeight: 250 }}>
          <div style={{ width: "26%", padding: 16, display: "flex", flexDirection: "column", gap: 12, borderInlineEnd: `1px solid ${theme.line}` }}>
            {theme.shell === "side" && <Bar width="60%" color={theme.ink} height={10} />}
            {theme.shell === "side" && <div style={{ height: 22, border: `1px solid ${theme.line}`, borderRadius: theme.radius }} />}
            <Bar width="70%" color={faint} />
            <div style={{ padding: "6px 8px", borderRadius: theme.radius, background: "#0f766e1f" }}><Bar width="80%" color={accent} /></div>
            <Bar width="85%" color={faint} />
            <Bar width="60%" color={faint} />
            <Bar width="75%" color={faint} />
          </div>
          <div style={{ flex: 1, padding: 24, background: theme.ground, borderRadius: theme.name === "luma" ? 20 : 0, margin: theme.name === "luma" || theme.name === "almond" ? 10 : 0 }}>
            <div style={{ fontSize: 22, fontWeight: 700, marginBottom: 10 }}>{theme.name === "linden" ? "# Welcome" : "Welcome"}</div>
            <div style={{ display: "flex", flexDirection: "column", gap: 9, marginBottom: 18 }}>
              <Bar width="92%" color={faint} />
              <Bar width="84%" color={faint} />
              <Bar width="46%" color={faint} />
            </div>
            <div style={{ display: "grid", gridTemplateColumns: "1fr 1fr", gap: 12 }}>
              {[0, 1].map((card) => (
                <div key={card} style={{ border: `1px solid ${theme.line}`, borderRadius: theme.radius, padding: 12, boxShadow: theme.name === "linden" ? `3px 3px 0 ${theme.ink}` : "none" }}>
                  <Bar width={18} color={accent} height={18} />
                  <div style={{ height: 10 }} />
                  <Bar width="70%" color={theme.ink} />
                </div>
              ))}
            </div>
          </div>
        </div>
      </div>
      <p aria-live="polite" className="text-center text-gray-600 dark:text-gray-400 mt-4">{theme.note}</p>
    </div>
  );
};
