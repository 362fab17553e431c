import { cx } from '../../lib/cx.ts'
import { Icon } from '../Icon/Icon.tsx'
import styles from './Avatar.module.css'

export type PresenceShape = 'online' | 'away' | 'busy' | 'offline'

type Props = {
  /** Determines the hue: always the same for the same person. */
  readonly id: string
  readonly name: string
  /** Pixels; 36 in messages, 20 in rows. */
  readonly size: number
  readonly bot?: boolean
  readonly src?: string
  readonly onError?: () => void
  /** Shown as a shape at the lower right. */
  readonly presence?: PresenceShape
}

/** A portrait in an alcove; a rounded square for apps. Decorative: the name is next to it or on the control. */
export function Avatar({ id, name, size, bot = false, src, onError, presence }: Props) {
  // Two letters are not readable below this size.
  const tiny = size < 20
  const initials = tiny ? Array.from(initialsOf(name))[0] : initialsOf(name)
  return (
    <span
      className={cx(styles['avatar'], bot ? styles['bot'] : styles['person'])}
      data-hue={bot ? undefined : hueOf(id)}
      style={{ width: size, height: size, fontSize: tiny ? size * 0.5 : size * 0.36 }}
      aria-hidden="true"
    >
      {src !== undefined ? (
        <img className={styles['picture']} src={src} alt="" draggable={false} onError={onError} />
      ) : bot ? (
        <Icon name="bot" size={Math.round(size * 0.56)} />
      ) : (
        initials
      )}
      {presence === undefined ? null : (
        <i
          className={cx(
            styles['presence'],
            styles[presence],
            size < 24 && styles['small'],
            size >= 36 && styles['large'],
          )}
        />
      )}
    </span>
  )
}

/** The hue of an id, 1 to 8. The same at all times and on all devices. */
export function hueOf(id: string): number {
  let hash = 0
  for (const char of id) hash = (Math.imul(hash, 31) + (char.codePointAt(0) ?? 0)) >>> 0
  return (hash % 8) + 1
}

/** First letters of two words, or the first letter of one. Emoji and brackets do not count as words. */
export function initialsOf(name: string): string {
  const text = name.split(/\s+/).filter((word) => /^[\p{L}\p{N}]/u.test(word))
  const letters = text.map((word) => String.fromCodePoint(word.codePointAt(0) ?? 63))
  const first = letters[0] ?? '?'
  const last = letters.length > 1 ? (letters.at(-1) ?? '') : ''
  return (first + last).toLocaleUpperCase()
}

/** Two letters for a channel in the rail: the first letters of its first two words, or the first two of a single word. */
export function twoLetters(name: string): string {
  const text = name.split(/[\s_\-.]+/).filter((word) => /^[\p{L}\p{N}]/u.test(word))
  const first = Array.from(text[0] ?? '?')
  const second = text[1] === undefined ? (first[1] ?? '') : (Array.from(text[1])[0] ?? '')
  return `${first[0] ?? '?'}${second}`
}
