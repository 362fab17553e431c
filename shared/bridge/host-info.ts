import type { Managed } from '#shared/domain/desktop/policies.ts'

/** What the window is told about where it runs, before anything else. Fixed for the life of the window. */
export type HostInfo = {
  readonly kind: 'electron' | 'browser'
  readonly os: 'windows' | 'macos' | 'linux'
  readonly version: string
  /** Who draws the window buttons. */
  readonly titleBar: 'macos' | 'windows' | 'linux' | 'none'
  /** System preferences that only main can read; absent when the page can ask by itself. */
  readonly clock24h?: boolean
  /** What anyone who manages this computer has decided; absent on most computers. */
  readonly managed?: Managed
  readonly capabilities: {
    readonly nativeNotifications: boolean
    readonly badge: boolean
    readonly tray: boolean
    readonly severalWindows: boolean
    /** Pages may open a file field and paste files. */
    readonly files: boolean
  }
}
