/** The reading half of PDF.js says of itself where it is; it exports nothing that is used by name. */
declare module 'pdfjs-dist/build/pdf.worker.min.mjs'
