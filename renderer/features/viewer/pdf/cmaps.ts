const files = import.meta.glob<string>('../../../../node_modules/pdfjs-dist/cmaps/*.bcmap', {
  eager: true,
  query: '?url&inline',
  import: 'default',
})

/** Character maps of Chinese, Japanese and Korean fonts, each as a data URL. A separate chunk. */
export const cmaps: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(files).map(([path, data]) => [path.slice(path.lastIndexOf('/') + 1), data]),
)
