import type { ReactNode } from 'react'
import type { Message } from '#shared/domain/message.ts'
import { cleanName } from '#shared/lib/clean-text.ts'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { useFormats, useTexts } from '../../../i18n/index.ts'
import { useMinute } from '../../../lib/time/clocks.ts'
import { useAppDispatch } from '../../../store/hooks.ts'
import { jumpRequested, panelOpened } from '../../../store/window/ui.ts'
import { IconButton } from '../../../ui/Button/IconButton.tsx'
import { useWhen } from '../../../ui/Dates/MessageTime.tsx'
import { ExternalLink, safeLink } from '../../links/index.ts'
import { useName } from '../../people/index.ts'
import type { ListProps } from './MediaPanel.tsx'
import styles from '../Info.module.css'

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
