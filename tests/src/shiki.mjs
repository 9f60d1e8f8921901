// Colours of code blocks as the npm package `shiki` gives them, for the comparison in `../tests/shiki.rs`.
// Reads `{package, themes, blocks: [{lang, code}]}` and writes, for each block, for each theme, its lines as lists
// of `[text, colour, style]`.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const { package: file, themes, blocks } = JSON.parse(readFileSync(0, "utf8"));
const shiki = await import(pathToFileURL(file).href);
const langs = [...new Set(blocks.map((block) => block.lang))].filter((lang) => lang in shiki.bundledLanguages);
const highlighter = await shiki.createHighlighter({ themes, langs });
const known = new Set(langs);
const colours = (code, lang, theme) =>
  highlighter
    .codeToTokensBase(code, { lang, theme, tokenizeTimeLimit: 0 })
    .map((line) => line.map(({ content, color, fontStyle }) => [content, color ?? "", fontStyle ?? 0]));
const out = blocks.map(({ lang, code }) =>
  known.has(lang) ? themes.map((theme) => colours(code, lang, theme)) : null,
);
console.log(JSON.stringify(out));
