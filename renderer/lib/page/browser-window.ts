/**
 * Opens a URL in a new browser window, for hosts where main cannot open one. Returns false if the browser blocked it, which
 * it may without a user gesture.
 *
 * @param size CSS pixels; absent: the size of this window
 */
export function openBrowserWindow(url: string, size?: { readonly width: number; readonly height: number }): boolean {
  const { outerWidth, outerHeight, screenX, screenY } = window
  const { width, height } = size ?? { width: outerWidth, height: outerHeight }
  const place = `left=${screenX + 48},top=${screenY + 48},width=${width},height=${height}`
  const opened = window.open(url, '_blank', `popup,${place}`)
  if (opened === null) return false
  // Cuts the link between the windows, so that neither can script the other.
  opened.opener = null
  return true
}
