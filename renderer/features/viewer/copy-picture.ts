/** Puts a loaded picture on the clipboard as PNG. Rejects when the system or the picture's origin refuses. */
export async function copyPicture(image: HTMLImageElement): Promise<void> {
  const canvas = document.createElement('canvas')
  canvas.width = image.naturalWidth
  canvas.height = image.naturalHeight
  canvas.getContext('2d')?.drawImage(image, 0, 0)
  const blob = await new Promise<Blob>((resolve, reject) => {
    canvas.toBlob(
      (made) => (made === null ? reject(new Error('the picture has no pixels')) : resolve(made)),
      'image/png',
    )
  })
  await navigator.clipboard.write([new ClipboardItem({ 'image/png': blob })])
}
