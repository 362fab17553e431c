/**
 * Structured log lines for troubleshooting. They contain ids; never message text, names, tokens or file names. `error`:
 * needs attention; `warn`: degraded but handled; `info`: state transitions; `debug`: per event.
 */
export type LogLevel = 'error' | 'warn' | 'info' | 'debug'
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>
export type LogSink = (level: LogLevel, area: string, event: string, fields: LogFields) => void

export type Logger = {
  error(event: string, fields?: LogFields): void
  warn(event: string, fields?: LogFields): void
  info(event: string, fields?: LogFields): void
  debug(event: string, fields?: LogFields): void
}

export function logger(area: string, sink: LogSink): Logger {
  const at =
    (level: LogLevel) =>
    (event: string, fields: LogFields = {}) =>
      sink(level, area, event, fields)
  return { error: at('error'), warn: at('warn'), info: at('info'), debug: at('debug') }
}

const RANK: Record<LogLevel, number> = { error: 0, warn: 1, info: 2, debug: 3 }

/** Writes JSON lines to a stream (standard error in the product), masking anything shaped like a JWT. */
export function jsonLines(write: (line: string) => void, level: LogLevel, now: () => number): LogSink {
  return (at, area, event, fields) => {
    if (RANK[at] > RANK[level]) return
    const line = JSON.stringify({ at: new Date(now()).toISOString(), level: at, area, event, ...fields })
    write(`${line.replace(/[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}/g, '<token>')}\n`)
  }
}

export const silentSink: LogSink = () => {}
