const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** The contract's `html`: the text, escaped, in paragraphs. Our own client never reads it. */
export function toHtml(text: string): string {
  if (text === '') return ''
  const escaped = text.replace(/[&<>"']/g, (char) => ESCAPES[char] ?? '')
  return `<p>${escaped.replaceAll(/\n{2,}/g, '</p>\n<p>').replaceAll('\n', '<br />\n')}</p>\n`
}
