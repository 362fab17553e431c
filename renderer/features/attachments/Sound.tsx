import type { ReactNode } from 'react'
import { useTexts } from '../../i18n/index.ts'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { clockOf } from './boxes.ts'
import { seekOfKey, type Sound } from './use-sound.ts'
import styles from './Attachments.module.css'

/** The round button that plays and pauses. */
export function PlayButton({ sound, name }: { readonly sound: Sound; readonly name: string }) {
  const t = useTexts('messages')
  return (
    <button
      type="button"
      className={styles['playSmall']}
      aria-label={t(sound.playing ? 'media.pause' : 'media.play', { name })}
      aria-disabled={sound.audio === undefined || undefined}
      onClick={sound.toggle}
    >
      <Icon name={sound.playing ? 'pause' : 'play'} size={18} />
    </button>
  )
}

type Props = { readonly sound: Sound; readonly className: string | undefined; readonly children: ReactNode }

/** The position of the sound as a slider: arrows move 5 s, a click moves there. */
export function Position({ sound: { at, length, seek }, className, children }: Props) {
  const t = useTexts('messages')
  return (
    <div
      className={className}
      role="slider"
      tabIndex={0}
      aria-label={t('media.position')}
      aria-valuemin={0}
      aria-valuemax={Math.round(length)}
      aria-valuenow={Math.round(at)}
      aria-valuetext={clockOf(at)}
      onKeyDown={(event) => {
        const to = event.ctrlKey || event.altKey || event.metaKey ? undefined : seekOfKey(event.key, at, length)
        if (to === undefined) return
        event.preventDefault()
        event.stopPropagation()
        seek(to)
      }}
      onClick={(event) => {
        const box = event.currentTarget.getBoundingClientRect()
        if (box.width > 0) seek(((event.clientX - box.left) / box.width) * length)
      }}
    >
      {children}
    </div>
  )
}

/** The playback speed; a click selects the next one. */
export function SpeedButton({ sound: { speed, faster } }: { readonly sound: Sound }) {
  const t = useTexts('messages')
  return (
    <button
      type="button"
      className={styles['speed']}
      aria-label={t('media.speed', { speed })}
      aria-keyshortcuts="Shift+. Shift+,"
      onClick={faster}
    >
      {t('media.times', { speed })}
    </button>
  )
}
