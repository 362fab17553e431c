import type { Managed } from '#shared/domain/desktop/policies.ts'

/** What the window knows about its host before anything else. Constant for the lifetime of the window. */
export type HostInfo = {
  readonly kind: 'electron' | 'browser'
  readonly os: 'windows' | 'macos' | 'linux'
  readonly version: string
  /** Who draws the window buttons. */
  readonly titleBar: 'macos' | 'windows' | 'linux' | 'none'
  /** System preferences that only main can read; absent where the page can read them. */
  readonly clock24h?: boolean
  /** The policies of the administrator; absent on most devices. */
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
