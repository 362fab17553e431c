/** Downloads a URL; the system asks where to save it. The name is only a proposal: main decides what is allowed. */
export function saveAs(url: string, name: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.rel = 'noopener'
  document.body.append(link)
  link.click()
  link.remove()
}
