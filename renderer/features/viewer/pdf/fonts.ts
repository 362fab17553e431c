const files = import.meta.glob<string>(
  '../../../../node_modules/pdfjs-dist/standard_fonts/Foxit{Symbol,Dingbats}.pfb',
  {
    eager: true,
    query: '?url&inline',
    import: 'default',
  },
)

/** The two symbol fonts that a PDF viewer must provide, each as a data URL; text uses system fonts. A separate chunk. */
export const fonts: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(files).map(([path, data]) => [path.slice(path.lastIndexOf('/') + 1), data]),
)
