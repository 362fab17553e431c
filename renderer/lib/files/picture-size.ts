/** Width and height of a picture, so that readers can reserve its space before it loads. */
export async function pictureSize(file: File): Promise<{ width?: number; height?: number }> {
  if (!file.type.startsWith('image/') || typeof createImageBitmap !== 'function') return {}
  try {
    const bitmap = await createImageBitmap(file)
    const size = { width: bitmap.width, height: bitmap.height }
    bitmap.close()
    return size
  } catch {
    // Not a picture the browser can decode: sent as a file without dimensions.
    return {}
  }
}
