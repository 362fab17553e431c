/** The kinds of the contract, plus `giphy`, and `other` for anything else. */
export type AttachmentKind = 'image' | 'video' | 'audio' | 'file' | 'voiceRecording' | 'giphy' | 'link' | 'other'

/** `paused` by the user: nothing of it is on the server, and it starts again from the beginning when it is resumed. */
export type UploadState = 'pending' | 'uploading' | 'paused' | 'finished' | 'failed' | 'blocked'

/** The reason of a paused upload in the outbox. */
export const UPLOAD_PAUSED = 'upload/paused'

/** One of the five rejection reasons of the contract (docs/wire.md 7.20), a file without bytes, or a plain failure. */
export type UploadReason =
  | 'allowed_file_extensions'
  | 'blocked_file_extensions'
  | 'allowed_mime_types'
  | 'blocked_mime_types'
  | 'size_limit'
  | 'empty'
  | 'capability'
  | 'slots'
  | 'missing'
  | 'network'

export type Attachment = {
  readonly kind: AttachmentKind
  /**
   * Position in the message, from 0. With the message id it names the bytes: `media://att/<messageId>.<index>/full`.
   */
  readonly index: number
  readonly title?: string
  readonly mimeType?: string
  readonly sizeBytes?: number
  readonly width?: number
  readonly height?: number
  /** Seconds. */
  readonly duration?: number
  /** Loudness 0..1 of a voice recording. */
  readonly waveform?: readonly number[]
  /** URL of the link preview; only for `link`. */
  readonly linkUrl?: string
  readonly text?: string
  readonly authorName?: string
  /** Alternative text of an image, written by its sender. */
  readonly alt?: string
  /** Whether there are bytes to show (`full`), and a smaller picture (`thumb`). */
  readonly hasMedia: boolean
  readonly hasThumb: boolean
}

/** A file being uploaded: staged by main, shown in the composer and on the unsent message. */
export type Upload = {
  readonly id: string
  readonly name: string
  readonly sizeBytes: number
  readonly mimeType: string
  readonly kind: AttachmentKind
  readonly state: UploadState
  readonly reason?: UploadReason
  /** 0..1 while uploading. */
  readonly progress: number
  readonly width?: number
  readonly height?: number
  /** Seconds, and loudness 0..1, of a voice recording. */
  readonly duration?: number
  readonly waveform?: readonly number[]
  /** Alternative text of an image, written by its sender. */
  readonly alt?: string
  /** For `blocked`: the allowed bytes, or the extensions or types that the rule lists. */
  readonly limit?: number
  readonly listed?: readonly string[]
  /**
   * For `blocked`: another name may be accepted, so its bytes are still wanted, or are already staged, also after a
   * restart. Absent: no name helps.
   */
  readonly renaming?: 'wanted' | 'ready'
  /** Bytes per second while uploading; absent until it is known. */
  readonly bytesPerSecond?: number
}

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
