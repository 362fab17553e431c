/**
 * Opens an address in a window of the browser, beside this one; for what main has no browser for. Answers whether the
 * browser let it: without a press of the user's it may not.
 *
 * @param size CSS pixels; the size of this window where absent
 */
export function showPage(url: string, size?: { readonly width: number; readonly height: number }): boolean {
  const { outerWidth, outerHeight, screenX, screenY } = window
  const { width, height } = size ?? { width: outerWidth, height: outerHeight }
  const place = `left=${screenX + 48},top=${screenY + 48},width=${width},height=${height}`
  const opened = window.open(url, '_blank', `popup,${place}`)
  if (opened === null) return false
  // The two windows are strangers: what one does must not reach the other.
  opened.opener = null
  return true
}
