import type { Clock } from '#main/lib/clock.ts'
import type { Ids } from '#main/lib/ids.ts'
import type { LogSink } from '#main/lib/logger.ts'

/** The environment of the engine, as interfaces. Hosts implement them, tests use fakes. */
export type Ports = {
  readonly clock: Clock
  readonly ids: Ids
  readonly http: HttpPort
  readonly sockets: SocketPort
  readonly files: FilesPort
  readonly log: LogSink
}

export type HttpRequest = {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | HttpFileBody
  /** No response within this time: `timeout`. Absent for uploads, which the client aborts when they stall. */
  readonly timeoutMs?: number
  /** No bytes sent or received for this time: `timeout`. For transfers that may take long but must make progress. */
  readonly stallMs?: number
  readonly signal?: AbortSignal
  /** The only certificate (PEM) that is trusted for this request, whatever its name; no proxy is used then. */
  readonly certificate?: string
}

/** A multipart body with one file, streamed from the staging folder. */
export type HttpFileBody = {
  readonly path: string
  readonly fileName: string
  readonly mimeType: string
  /** Bytes sent so far; called at most every 100 ms. */
  readonly onProgress: (sentBytes: number) => void
}

export type HttpResponse = {
  readonly status: number
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** Failure before a response was read. `sent` says whether the server may have processed the request. */
export class TransportError extends Error {
  /** `certificate`: the server responded with a certificate that is not trusted here. */
  readonly kind: 'network' | 'timeout' | 'aborted' | 'too-large' | 'certificate'
  readonly sent: boolean
  constructor(kind: TransportError['kind'], sent: boolean, options?: { cause?: unknown }) {
    super(`transport ${kind}`, options)
    this.name = 'TransportError'
    this.kind = kind
    this.sent = sent
  }
}

export type HttpPort = {
  /** Rejects only with a {@link TransportError}. Bodies over 16 MB are aborted; redirects are not followed. */
  request(request: HttpRequest): Promise<HttpResponse>
  /** Streams a download to a file; returns its size and type. For attachments and avatars. */
  download(
    request: HttpRequest,
    toPath: string,
    maxBytes: number,
  ): Promise<{ status: number; mimeType: string; sizeBytes: number }>
}

export type SocketHandlers = {
  onOpen(): void
  onFrame(text: string): void
  /** Called exactly once per socket, even if it never opened (code 1006). */
  onClose(code: number, reason: string): void
}

export type Socket = {
  send(text: string): void
  /** Closes with a handshake; `onClose` follows. */
  close(code: number, reason: string): void
  /** Closes without a handshake; `onClose(1006)` follows at once. */
  terminate(): void
}

/** `certificate`: as in {@link HttpRequest}. */
export type SocketPort = { open(url: string, handlers: SocketHandlers, certificate?: string): Socket }

export type FilesPort = {
  /** Creates folders as needed, mode 0700; files 0600. */
  append(path: string, bytes: Uint8Array): Promise<void>
  /** Flushes to disk. */
  sync(path: string): Promise<void>
  read(path: string, start: number, length: number): Promise<Uint8Array>
  size(path: string): Promise<number | undefined>
  remove(path: string): Promise<void>
  list(folder: string): Promise<readonly string[]>
}
