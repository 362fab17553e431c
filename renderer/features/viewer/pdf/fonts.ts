const files = import.meta.glob<string>(
  '../../../../node_modules/pdfjs-dist/standard_fonts/Foxit{Symbol,Dingbats}.pfb',
  {
    eager: true,
    query: '?url&inline',
    import: 'default',
  },
)

/** The two fonts of signs that a reader of PDF must bring along; letters are drawn with the system's own. Each as a data address. One piece of the bundle. */
export const fonts: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(files).map(([path, data]) => [path.slice(path.lastIndexOf('/') + 1), data]),
)
