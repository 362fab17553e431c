/** The metadata of a page, as far as a composer shows it. */
export type LinkPreview = {
  /** The URL as written in the text, with its scheme. */
  readonly url: string
  readonly title?: string
  readonly text?: string
  readonly siteName?: string
  /** Its image for `mediaUrl`, while the program runs. */
  readonly picture?: string
}

export type LinkPreviewState = 'pending' | 'loading' | 'loaded' | 'failed' | 'dismissed'

/** Which links are previewed. */
export type LinkPreviewChoices = {
  /** `ask`: the user has not decided, and until then nothing is previewed. */
  readonly mode: 'ask' | 'on' | 'off'
  /** Channels with another choice: by workspace and person (`sidebarKey`), then by cid. */
  readonly channels: Readonly<Record<string, Readonly<Record<string, boolean>>>>
  /** Hosts that are never previewed, with all their subdomains: `example.org`. */
  readonly blocked: readonly string[]
}
