export const Counter = ({ start = 0, children }) => {
  const [count, setCount] = useState(start);
  return (
    <div className="not-prose flex items-center gap-4 rounded-xl border p-4">
      <button
        type="button"
        className="rounded-lg border px-3 py-1 font-medium"
        onClick={() => setCount(count - 1)}
        aria-label="One less"
      >
        −
      </button>
      <output className="min-w-8 text-center font-medium">{count}</output>
      <button
        type="button"
        className="rounded-lg border px-3 py-1 font-medium"
        onClick={() => setCount(count + 1)}
        aria-label="One more"
      >
        +
      </button>
      <span>{children}</span>
    </div>
  );
};
