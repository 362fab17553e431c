/** What a page says about itself, as far as a composer shows it. */
export type LinkPreview = {
  /** The address as the composition names it, with its scheme. */
  readonly url: string
  readonly title?: string
  readonly text?: string
  readonly siteName?: string
  /** Where `mediaUrl` has its picture, while the program runs. */
  readonly picture?: string
}

export type LinkPreviewState = 'pending' | 'loading' | 'loaded' | 'failed' | 'dismissed'

/** Which links are looked at. */
export type LinkPreviewChoices = {
  /** `ask`: no one has said yet, and until then nothing is looked at. */
  readonly mode: 'ask' | 'on' | 'off'
  /** Channels that differ: by workspace and person (`sidebarKey`), then by cid. */
  readonly channels: Readonly<Record<string, Readonly<Record<string, boolean>>>>
  /** Hosts never looked at, with everything below them: `example.org`. */
  readonly blocked: readonly string[]
}
