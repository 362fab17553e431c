/** Which host to start, and the line of text that explains why. */
export type HostChoice =
  | { readonly host: 'electron'; readonly path: string; readonly why: string }
  | { readonly host: 'browser'; readonly why: string }

/** What the choice depends on; the real ones are in `electron-binary.ts`. */
export type LaunchFacts = {
  readonly wanted: 'electron' | 'browser' | undefined
  /** Linux without any display server. */
  readonly noScreen: boolean
  /** Chromium does not run its sandbox for root, and Parlor shows no page without it. */
  readonly isRoot: boolean
  /** The Electron executable, if it is there and of the right version. */
  installed(): string | undefined
  /** Whether the download server of Electron responds, within 4 s. */
  reachable(): Promise<boolean>
  /** Downloads Electron and reports it; returns the executable. */
  download(): string | undefined
}

/**
 * Electron if it is installed or can be downloaded, otherwise the browser host. A host named by flag is used or
 * refused.
 *
 * @returns the choice, or the line that says why the named host cannot run
 */
export async function pickHost(
  facts: LaunchFacts,
): Promise<HostChoice | { readonly host: 'none'; readonly why: string }> {
  if (facts.wanted === 'browser') return { host: 'browser', why: 'Parlor runs in the browser host, as asked.' }
  if (facts.noScreen && facts.wanted === undefined) {
    return { host: 'browser', why: 'Parlor runs in the browser host: there is no screen for Electron.' }
  }
  const electron = await findElectron(facts)
  if ('path' in electron)
    return { host: 'electron', path: electron.path, why: `Parlor runs in Electron: ${electron.why}.` }
  return facts.wanted === 'electron'
    ? { host: 'none', why: `Parlor cannot run in Electron: ${electron.why}.` }
    : { host: 'browser', why: `Parlor runs in the browser host: ${electron.why}.` }
}

async function findElectron(facts: LaunchFacts): Promise<{ path: string; why: string } | { why: string }> {
  if (facts.isRoot) return { why: 'Electron does not run as root; start Parlor as an ordinary user' }
  const path = facts.installed()
  if (path !== undefined) return { path, why: 'it is installed' }
  if (!(await facts.reachable())) return { why: 'Electron is not installed and its download cannot be reached' }
  const downloaded = facts.download()
  return downloaded === undefined
    ? { why: 'Electron is not installed and its download failed' }
    : { path: downloaded, why: 'it has just been downloaded' }
}
