/** What can be written behind the signs of a code fence, and how people call it. Names of languages are not translated. */
const LANGUAGES: readonly { readonly name: string; readonly label: string }[] = [
  { name: 'bash', label: 'Shell' },
  { name: 'c', label: 'C' },
  { name: 'cpp', label: 'C++' },
  { name: 'cs', label: 'C#' },
  { name: 'css', label: 'CSS' },
  { name: 'diff', label: 'Diff' },
  { name: 'go', label: 'Go' },
  { name: 'html', label: 'HTML' },
  { name: 'java', label: 'Java' },
  { name: 'js', label: 'JavaScript' },
  { name: 'json', label: 'JSON' },
  { name: 'kotlin', label: 'Kotlin' },
  { name: 'md', label: 'Markdown' },
  { name: 'php', label: 'PHP' },
  { name: 'python', label: 'Python' },
  { name: 'ruby', label: 'Ruby' },
  { name: 'rust', label: 'Rust' },
  { name: 'sql', label: 'SQL' },
  { name: 'swift', label: 'Swift' },
  { name: 'toml', label: 'TOML' },
  { name: 'ts', label: 'TypeScript' },
  { name: 'tsx', label: 'TSX' },
  { name: 'xml', label: 'XML' },
  { name: 'yaml', label: 'YAML' },
]

/** Those that begin so, by either name. */
export function matchLanguages(query: string): typeof LANGUAGES {
  const wanted = query.toLowerCase()
  return LANGUAGES.filter(({ name, label }) => name.startsWith(wanted) || label.toLowerCase().startsWith(wanted))
}
