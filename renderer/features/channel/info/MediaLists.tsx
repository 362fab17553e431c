import { useMemo, useState, type ReactNode } from 'react'
import type { Attachment } from '#shared/domain/attachment.ts'
import type { MediaFilter } from '#shared/domain/channel.ts'
import type { Message } from '#shared/domain/message.ts'
import { attachmentsIn } from '#shared/rules/channels/media-tabs.ts'
import { cleanName } from '#shared/lib/clean-text.ts'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { useRoving } from '../../../lib/page/roving.ts'
import { useMinute } from '../../../lib/time/clocks.ts'
import { useAppDispatch } from '../../../store/hooks.ts'
import { viewerOpened } from '../../../store/window/overlays.ts'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { useWhen } from '../../../ui/Dates/MessageTime.tsx'
import { jumpRequested, panelOpened } from '../../../store/window/ui.ts'
import { IconButton } from '../../../ui/Button/Button.tsx'
import { mayMove, mediaRef, Picture, useBlurred, useThumbHidden } from '../../attachments/index.ts'
import { useName } from '../../people/index.ts'
import { safeLink } from '#shared/rules/markdown/safe-link.ts'
import { ExternalLink } from '../../links/index.ts'
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
  const ref = mediaRef(message.id, attachment.index)
  const { isBlurred } = useBlurred(ref)
  const isHidden = useThumbHidden(message.cid, ref)
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
      {failed || isHidden || (isVideo && !attachment.hasThumb) ? (
        <span className={styles['film']}>
          <Icon name={isVideo ? 'video' : 'image'} size={24} />
        </span>
      ) : (
        <Picture
          mediaKey={ref}
          variant={attachment.hasThumb ? 'thumb' : 'full'}
          alt=""
          blurred={isBlurred}
          moves={mayMove(attachment)}
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

/** The same pattern as the search uses. */
const LINK = /\bhttps?:\/\/[^\s<>"]+/gi
/** Punctuation at the end of a sentence, which is not part of an address. */
const TAIL = /[.,;:!?)\]'"»”]+$/

/** Links in texts and previews, newest first, without duplicates in a message. */
export function LinksList({ tab, labelledBy }: ListProps) {
  const items = (tab.messages ?? []).flatMap((message) => linksOf(message).map((link) => ({ message, link })))
  if (items.length === 0) return null
  return (
    <ul className={styles['section']} aria-labelledby={labelledBy}>
      {items.map(({ message, link }) => (
        <ItemRow
          key={`${message.id} ${link.href}`}
          message={message}
          tile={
            <span className={styles['itemTile']} aria-hidden="true">
              <Icon name="link" size={17} />
            </span>
          }
          name={
            <div className="ellipsis">
              <ExternalLink href={link.href}>{link.title}</ExternalLink>
            </div>
          }
          more={link.host}
        />
      ))}
    </ul>
  )
}

type Link = { readonly href: string; readonly host: string; readonly title: string }

/** Links that are safe to open, previews first because they have a title. */
export function linksOf(message: Pick<Message, 'text' | 'attachments'>): readonly Link[] {
  const previews = message.attachments.flatMap(({ kind, linkUrl, title }) =>
    kind === 'link' && linkUrl !== undefined ? [{ url: linkUrl, title }] : [],
  )
  const written = [...message.text.matchAll(LINK)].map(([url]) => ({ url: url.replace(TAIL, ''), title: undefined }))
  const links = new Map<string, Link>()
  for (const { url, title } of [...previews, ...written]) {
    const safe = safeLink(url)
    if (safe === undefined || links.has(safe.href)) continue
    const shown = cleanName(title ?? '')
    links.set(safe.href, {
      href: safe.href,
      host: safe.host.replace(/^www\./, ''),
      title: shown === '' ? safe.href : shown,
    })
  }
  return [...links.values()]
}

type Props = {
  readonly message: Message
  readonly tile: ReactNode
  readonly name: ReactNode
  /** Shown beside the author and the time. */
  readonly more?: string
  readonly children?: ReactNode
}

/** An item of a media tab: content, author, time, and a button that goes to its message. */
export function ItemRow({ message, tile, name, more, children }: Props) {
  const t = useTexts('details')
  const formats = useFormats()
  const when = useWhen()
  const now = useMinute()
  const dispatch = useAppDispatch()
  const author = useName(message.userId)
  const { cid, id: messageId, parentId } = message
  const show = (): void => {
    if (parentId !== undefined) dispatch(panelOpened({ kind: 'thread', cid, parentId }))
    dispatch(jumpRequested({ cid, messageId, parentId }))
  }
  return (
    <li className={styles['item']} data-media-item={messageId}>
      {tile}
      <div className={styles['itemText']}>
        <div className={styles['itemName']}>{name}</div>
        <div className={styles['second']}>
          {more === undefined ? null : <span>{more}</span>}
          <span className="ellipsis">
            {t('mediaTab.by', { name: author, when: when(message, (at) => formats.listTime(at, now)) })}
          </span>
        </div>
      </div>
      {children}
      <IconButton icon="arrow-right" size="small" label={t('mediaTab.show')} onClick={show} />
    </li>
  )
}
