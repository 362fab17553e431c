const address = new URL('../../../../node_modules/pdfjs-dist/build/pdf.worker.min.mjs', import.meta.url).href

/** What the platform offers of Trusted Types, as far as it is used. Not in TypeScript's own library yet. */
type Policies = {
  createPolicy(
    name: string,
    rules: { createScriptURL(text: string): string },
  ): { createScriptURL(text: string): string }
}

/**
 * The one policy that the page's rules allow. Whatever it is given it answers the address of our own copy of the PDF
 * reader's worker, so nothing else can ever be started through it, and strings still become neither markup nor code.
 * Source: ADR 20.
 */
const policy = (globalThis as { readonly trustedTypes?: Policies }).trustedTypes?.createPolicy('parlor-pdf', {
  createScriptURL: () => address,
})

/** A new process of its own for one document: what a broken or hostile file does there ends with it. */
export const startWorker = (): Worker =>
  new Worker(policy === undefined ? address : policy.createScriptURL(''), { type: 'module' })
