/** The style of an exported page: light and dark by the system, for a narrow window, and for paper. Loads nothing. */
export const PAGE_STYLE = `
:root { color-scheme: light dark; --ground: #fbfaf8; --card: #ffffff; --text: #24211d; --muted: #67615a;
  --line: #e2ddd5; --soft: #f1eee9; --accent: #2f6f5e; --mark: #8a5a00; }
@media (prefers-color-scheme: dark) { :root { --ground: #1b1a18; --card: #242220; --text: #ece8e1; --muted: #a8a198;
  --line: #3a3733; --soft: #2d2a27; --accent: #7cc4ae; --mark: #e0b050; } }
* { box-sizing: border-box; }
body { margin: 0; padding: 32px 16px 56px; background: var(--ground); color: var(--text);
  font: 15px/1.5 -apple-system, BlinkMacSystemFont, "Segoe UI", "Ubuntu", "Cantarell", "Noto Sans", "DejaVu Sans",
  sans-serif, "Apple Color Emoji", "Segoe UI Emoji", "Noto Color Emoji"; overflow-wrap: anywhere; }
main, header { max-width: 760px; margin: 0 auto; }
header { padding-bottom: 16px; border-bottom: 1px solid var(--line); }
h1 { margin: 0 0 4px; font-size: 28px; line-height: 34px; letter-spacing: -0.011em; }
header p { margin: 4px 0 0; color: var(--muted); }
header .note { color: var(--mark); }
header .topic { color: var(--text); }
h2 { position: sticky; top: 0; margin: 32px 0 8px; padding: 6px 0; background: var(--ground); font-size: 13px;
  font-weight: 600; color: var(--muted); border-bottom: 1px solid var(--line); }
article { display: grid; grid-template-columns: 36px minmax(0, 1fr); column-gap: 12px; padding: 10px 0 0; }
article.more { padding-top: 2px; }
article:target { background: var(--soft); outline: 2px solid var(--accent); outline-offset: 4px; border-radius: 6px; }
.portrait { width: 36px; height: 36px; border-radius: 50% 50% 32% 32%; overflow: hidden; background: var(--soft);
  color: var(--muted); font-size: 14px; font-weight: 600; line-height: 36px; text-align: center; }
.store { position: absolute; width: 0; height: 0; }
.body { grid-column: 2; min-width: 0; }
.head { display: flex; flex-wrap: wrap; column-gap: 8px; align-items: baseline; }
.head b { font-weight: 600; }
.head, time, .marks { line-height: 20px; }
time, .marks { font-size: 12px; color: var(--muted); }
.system .body, .gone { color: var(--muted); font-style: italic; }
.text p, .text ul, .text ol, .text pre, .text blockquote, .text table { margin: 0 0 6px; }
.text > :last-child { margin-bottom: 0; }
.text .heading { font-weight: 600; }
ul, ol { padding-inline-start: 24px; }
li.task { list-style: none; margin-inline-start: -20px; }
a { color: var(--accent); }
.host { color: var(--muted); font-size: 12px; }
.mention { font-weight: 600; color: var(--accent); }
code { padding: 1px 4px; border-radius: 4px; background: var(--soft); font-size: 13px;
  font-family: ui-monospace, "Cascadia Mono", "DejaVu Sans Mono", Consolas, monospace; }
pre { padding: 10px 12px; border-radius: 8px; background: var(--soft); white-space: pre-wrap; }
pre code { padding: 0; background: none; }
blockquote { margin: 0; padding: 0 0 0 12px; border-inline-start: 3px solid var(--line); }
.quote { display: block; margin: 2px 0 4px; padding: 2px 0 2px 12px; border-inline-start: 3px solid var(--line);
  color: var(--muted); font-size: 14px; text-decoration: none; }
.quote b { color: var(--text); font-weight: 600; }
table { border-collapse: collapse; } th, td { padding: 4px 8px; border: 1px solid var(--line); text-align: start; }
.middle { text-align: center; } .end { text-align: end; }
hr { border: 0; border-top: 1px solid var(--line); }
.file { margin: 6px 0 0; }
.file img, .file video { display: block; max-width: min(100%, 420px); max-height: 360px; border-radius: 8px; }
.file audio { display: block; width: min(100%, 420px); }
.card { display: inline-block; max-width: 100%; margin: 6px 0 0; padding: 8px 12px; border: 1px solid var(--line);
  border-radius: 8px; background: var(--card); }
.card p { margin: 4px 0 0; color: var(--muted); }
.card ul { margin: 6px 0 0; padding: 0; list-style: none; min-width: 220px; }
.card li { display: flex; justify-content: space-between; gap: 24px; padding: 3px 0; border-top: 1px solid var(--line); }
.card li span:last-child { flex: none; color: var(--muted); }
.absent { color: var(--muted); }
.reactions { display: flex; flex-wrap: wrap; gap: 4px; margin: 6px 0 0; padding: 0; list-style: none; font-size: 13px; }
.reactions li { padding: 1px 8px; border: 1px solid var(--line); border-radius: 999px; background: var(--card); }
.thread { margin: 6px 0 8px 48px; padding-inline-start: 14px; border-inline-start: 2px solid var(--line); }
.thread h3 { margin: 4px 0 0; font-size: 12px; font-weight: 600; color: var(--muted); }
@media (max-width: 560px) { body { padding: 16px 12px 40px; } .thread { margin-inline-start: 12px; }
  article { column-gap: 8px; } h1 { font-size: 22px; line-height: 28px; } }
@media print { :root { --ground: #ffffff; --card: #ffffff; --text: #000000; --muted: #4a4a4a; --line: #c8c8c8;
  --soft: #f2f2f2; --accent: #1d5c4b; --mark: #6d4600; } body { padding: 0; font-size: 11pt; } h2 { position: static; }
  article { break-inside: avoid; } h2, h3 { break-after: avoid; } .text a::after { content: " (" attr(href) ")"; } }
`
