import { useMemo, useState } from 'react'
import type { Attachment } from '#shared/domain/attachment.ts'
import type { MediaFilter } from '#shared/domain/channel-details.ts'
import type { Message } from '#shared/domain/message.ts'
import { attachmentsIn } from '#shared/rules/channels/media-tabs.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { useRoving } from '../../../lib/page/roving.ts'
import { useMinute } from '../../../lib/time/clocks.ts'
import { useAppDispatch } from '../../../store/hooks.ts'
import { viewerOpened } from '../../../store/window/overlays.ts'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { useWhen } from '../../../ui/Dates/MessageTime.tsx'
import { mediaRef, Picture } from '../../attachments/index.ts'
import { useName } from '../../people/index.ts'
import type { ListProps } from './MediaPanel.tsx'
import styles from '../Info.module.css'

type Cell = { readonly id: string; readonly message: Message; readonly attachment: Attachment }
type Month = { readonly name: string; readonly cells: readonly Cell[] }

/** Pictures and videos by month, newest first; a click opens the viewer. */
export function MediaGrid({ tab, labelledBy }: ListProps) {
  const formats = useFormats()
  const now = useMinute()
  const dispatch = useAppDispatch()
  const { messages, only } = tab
  const months = useMemo(
    () => monthsOf(messages ?? [], only, (at) => formats.month(at, now)),
    [messages, only, formats, now],
  )
  const ids = useMemo(() => months.flatMap(({ cells }) => cells.map(({ id }) => id)), [months])
  const { containerProps, itemProps } = useRoving({ ids, orientation: 'both', pageSize: 9 })
  const { ref, ...listeners } = containerProps
  const open = ({ message, attachment }: Cell): void =>
    void dispatch(
      viewerOpened({
        cid: message.cid,
        messageId: message.id,
        index: attachment.index,
        among: (messages ?? []).toReversed(),
      }),
    )
  return (
    <div
      ref={(element) => {
        ref.current = element
      }}
      {...listeners}
      role="group"
      aria-labelledby={labelledBy}
    >
      {months.map(({ name, cells }) => (
        <section key={name} className={styles['section']}>
          <h3 className={styles['heading']}>{name}</h3>
          <div className={styles['grid']}>
            {cells.map((cell) => (
              <MediaCell key={cell.id} cell={cell} rovingProps={itemProps(cell.id)} onOpen={() => open(cell)} />
            ))}
          </div>
        </section>
      ))}
    </div>
  )
}

type CellProps = {
  readonly cell: Cell
  readonly rovingProps: { readonly tabIndex: 0 | -1; readonly 'data-roving-id': string }
  readonly onOpen: () => void
}

function MediaCell({ cell: { message, attachment }, rovingProps, onOpen }: CellProps) {
  const t = useTexts('details')
  const formats = useFormats()
  const now = useMinute()
  const name = useName(message.userId)
  const when = useWhen()
  const [failed, setFailed] = useState(false)
  const isVideo = attachment.kind === 'video'
  const text = { name, when: when(message, (at) => formats.listTime(at, now)) }
  return (
    <button
      type="button"
      className={styles['cell']}
      aria-label={isVideo ? t('mediaTab.videoOf', text) : t('mediaTab.photoOf', text)}
      aria-haspopup="dialog"
      {...rovingProps}
      onClick={onOpen}
    >
      {failed || (isVideo && !attachment.hasThumb) ? (
        <span className={styles['film']}>
          <Icon name={isVideo ? 'video' : 'image'} size={24} />
        </span>
      ) : (
        <Picture
          mediaKey={mediaRef(message.id, attachment.index)}
          variant={attachment.hasThumb ? 'thumb' : 'full'}
          alt=""
          onFail={() => setFailed(true)}
        />
      )}
      {isVideo && attachment.duration !== undefined ? (
        <span className={styles['length']}>{clock(attachment.duration)}</span>
      ) : null}
    </button>
  )
}

/** `1:05`. */
const clock = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(Math.round(seconds) % 60).padStart(2, '0')}`

function monthsOf(messages: readonly Message[], only: MediaFilter, nameOf: (at: number) => string): readonly Month[] {
  const months = new Map<string, Cell[]>()
  for (const message of messages) {
    const name = nameOf(message.createdAt)
    const cells = attachmentsIn('media', message.attachments, only)
      .filter(({ hasMedia }) => hasMedia)
      .map((attachment) => ({ id: `${message.id}.${attachment.index}`, message, attachment }))
    if (cells.length > 0) months.set(name, [...(months.get(name) ?? []), ...cells])
  }
  return [...months].map(([name, cells]) => ({ name, cells }))
}
