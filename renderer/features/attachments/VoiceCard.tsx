import type { Attachment } from '#shared/domain/attachment.ts'
import type { MessageId } from '#shared/lib/brand.ts'
import { useTexts } from '../../i18n/index.ts'
import { cx } from '../../lib/cx.ts'
import { barsOf, clockOf } from './boxes.ts'
import { mediaRef } from './media-ref.ts'
import { PlayButton, Position, SpeedButton } from './Sound.tsx'
import { useSound } from './use-sound.ts'
import styles from './Attachments.module.css'

type Props = { readonly messageId: MessageId; readonly attachment: Attachment }

const BARS = 46

/** A voice recording: play, waveform, time left, speed. */
export function VoiceCard({ messageId, attachment }: Props) {
  const t = useTexts('messages')
  const sound = useSound(mediaRef(messageId, attachment.index), attachment.duration)
  const { at, length } = sound
  const name = t('media.voice')
  return (
    <div
      className={cx(styles['card'], styles['voice'])}
      role="group"
      aria-label={t('media.timed', { name, length: clockOf(length) })}
      onKeyDown={sound.onKeyDown}
    >
      {/* No captions: the contract has no field for a track. */}
      {sound.audio === undefined ? null : <audio {...sound.audio} data-voice="" />}
      <PlayButton sound={sound} name={name} />
      <Position sound={sound} className={styles['wave']}>
        <Wave bars={barsOf(attachment.waveform ?? [], BARS)} played={length > 0 ? at / length : 0} />
      </Position>
      <span className={styles['time']}>{sound.failed ? t('media.failed') : clockOf(Math.max(0, length - at))}</span>
      <SpeedButton sound={sound} />
    </div>
  )
}

function Wave({ bars, played }: { readonly bars: readonly number[]; readonly played: number }) {
  return (
    <svg width={BARS * 5} height={26} aria-hidden="true">
      {bars.map((height, index) => (
        <rect
          // The bars are a fixed sequence, so the index is a stable key.
          key={index}
          className={index / BARS < played ? styles['barPlayed'] : styles['bar']}
          x={index * 5}
          y={13 - height * 12}
          width={2.5}
          height={height * 24}
          rx={1.25}
        />
      ))}
    </svg>
  )
}
