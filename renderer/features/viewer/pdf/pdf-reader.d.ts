/** The worker module of PDF.js registers itself; none of its exports are used. */
declare module 'pdfjs-dist/build/pdf.worker.min.mjs'
