/** Puts plain text on the clipboard; never HTML. Rejects when the system refuses. */
export async function copyText(text: string): Promise<void> {
  await navigator.clipboard.writeText(text)
}
