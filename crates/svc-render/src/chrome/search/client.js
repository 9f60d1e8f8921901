// Searches the site, for the dialog and the playground. The server searches; an exported site
// searches in the browser (static.js). Parameters are the pairs of a request to the server.
const answers = new Map();
let searchStatic = null;

export const find = (dialog, parameters) => {
  const query = new URLSearchParams(parameters).toString();
  if (!answers.has(query)) {
    if (dialog.dataset.index) searchStatic ??= staticSearch(dialog);
    const answer = searchStatic
      ? searchStatic(parameters)
      : fetch(`${dialog.dataset.url}?${query}`).then((response) => {
          if (!response.ok) throw new Error(`status ${response.status}`);
          return response.json();
        });
    answer.catch(() => answers.delete(query));
    answers.set(query, answer);
  }
  return answers.get(query);
};

