import { useState, type ReactNode, useMemo } from 'react'
import { linkHost, withChannel, type PreviewEntry } from '#shared/rules/messages/link-previews.ts'
import { sidebarKey } from '#shared/rules/channels/sidebar.ts'
import { cleanName } from '#shared/lib/clean-text.ts'
import { useTexts } from '../../../i18n/index.ts'
import { type SettledChannel, useAppDispatch, useAppSelector, useMediaUrl, useSetting } from '../../../store/hooks.ts'
import { previewDismissed, previewRestored } from '../../../store/composers/composers.ts'
import { selectSession } from '../../../store/selectors.ts'
import { Button, IconButton } from '../../../ui/Button/Button.tsx'
import { Icon } from '../../../ui/Icon/Icon.tsx'
import { Spinner } from '../../../ui/View/Empty.tsx'
import { useMenu } from '../../../ui/Menu/Menu.tsx'
import { Markdown } from '../../messages/index.ts'
import type { Place } from '../selectors.ts'
import type { ComposerModel } from '../use-composer.ts'
import { notifyingBroadcasts, mentionedIn, type Person } from '../suggestions/mentions.ts'
import { choosePreviews, selectPreviews, tryPreviewAgain } from './previews.ts'
import styles from './Previews.module.css'

type PreviewProps = {
  readonly id: string
  readonly text: string
  readonly people: readonly Person[]
  readonly channel: SettledChannel
}

/** The text as the message list will render it, with the same component. The field below stays open. */
export function Preview({ id, text, people, channel }: PreviewProps) {
  const t = useTexts('composer')
  const viewerId = useAppSelector((state) => selectSession(state).userId)
  const mentioned = useMemo(() => {
    const ids = new Set<string>(mentionedIn(text, people))
    const broadcasts = notifyingBroadcasts(text, channel).map((name) => ({ id: name, name, all: true as const }))
    return [...broadcasts, ...people.filter((person) => ids.has(person.id))]
  }, [text, people, channel])
  return (
    <section id={id} className={styles['preview']} aria-label={t('preview')} data-preview="">
      {text.trim() === '' ? (
        <p className={styles['nothing']}>{t('previewEmpty')}</p>
      ) : (
        <Markdown text={text} mentioned={mentioned} viewerId={viewerId} />
      )}
    </section>
  )
}

type Props = { readonly place: Place; readonly channel: SettledChannel; readonly model: ComposerModel }

/** Previews of the links in the text: first a question, then one line or card per link. */
export function Previews({ place, channel, model }: Props) {
  const t = useTexts('composer')
  const entries = useAppSelector((state) => selectPreviews(state, place.key))
  const [dismissed, setDismissed] = useState<string>()
  const shown = entries.filter(({ url, state }) => state !== 'pending' && (state !== 'dismissed' || url === dismissed))
  if (model.composer.editing !== undefined) return null
  return (
    <>
      {model.asksForPreviews ? <Question /> : null}
      {shown.length === 0 ? null : (
        <ul className={styles['list']} aria-label={t('previews.label')}>
          {shown.map((entry) => (
            <Entry key={entry.url} entry={entry} place={place} channel={channel} onDismiss={setDismissed} />
          ))}
        </ul>
      )}
    </>
  )
}

/** Asked once; either answer is saved in the settings. */
function Question() {
  const t = useTexts('composer')
  const dispatch = useAppDispatch()
  const linkPreviews = useSetting('linkPreviews')
  const choose = (mode: 'on' | 'off') => void dispatch(choosePreviews({ ...linkPreviews, mode }))
  return (
    <div className={styles['line']} role="group" aria-label={t('previews.question')}>
      <Icon name="link" size={16} />
      <span className={styles['message']}>
        {t('previews.question')} {t('previews.questionHint')}
      </span>
      <Button size="small" onClick={() => choose('on')}>
        {t('previews.allow')}
      </Button>
      <Button size="small" variant="quiet" onClick={() => choose('off')}>
        {t('previews.refuse')}
      </Button>
    </div>
  )
}

type EntryProps = {
  readonly entry: PreviewEntry
  readonly place: Place
  readonly channel: SettledChannel
  readonly onDismiss: (url: string | undefined) => void
}

function Entry({ entry, place, channel, onDismiss }: EntryProps) {
  const t = useTexts('composer')
  const dispatch = useAppDispatch()
  const { url, state } = entry
  const host = linkHost(url)
  const at = { key: place.key, url }
  const dismiss = (
    <IconButton
      icon="x"
      size="tiny"
      label={t('previews.dismiss', { host })}
      tooltipSide="above"
      onClick={() => {
        dispatch(previewDismissed(at))
        onDismiss(url)
      }}
    />
  )
  switch (state) {
    case 'loading':
      return (
        <Line icon={<Spinner size={14} />} text={t('previews.loading', { host })}>
          {dismiss}
        </Line>
      )
    case 'loaded':
      return (
        <Card entry={entry} host={host} place={place} channel={channel}>
          {dismiss}
        </Card>
      )
    case 'failed':
      return (
        <Line icon={<Icon name="link" size={15} />} text={t('previews.failed', { host })}>
          <button
            type="button"
            className={styles['action']}
            aria-label={t('previews.again', { host })}
            onClick={() => void dispatch(tryPreviewAgain(place, url))}
          >
            {t('tryAgain')}
          </button>
          {dismiss}
        </Line>
      )
    case 'dismissed':
      return (
        <Line icon={<Icon name="link" size={15} />} text={t('previews.dismissed', { host })}>
          <button
            type="button"
            className={styles['action']}
            aria-label={t('previews.restore', { host })}
            onClick={() => {
              dispatch(previewRestored(at))
              onDismiss(undefined)
            }}
          >
            {t('previews.undo')}
          </button>
        </Line>
      )
    case 'pending':
      return null
  }
}

type LineProps = { readonly icon: ReactNode; readonly text: string; readonly children: ReactNode }

function Line({ icon, text, children }: LineProps) {
  return (
    <li className={styles['line']}>
      {icon}
      <output className={styles['message']}>{text}</output>
      {children}
    </li>
  )
}

type CardProps = Pick<EntryProps, 'entry' | 'place' | 'channel'> & {
  readonly host: string
  readonly children: ReactNode
}

/** Has a fixed height, so that the layout shifts only when it appears. */
function Card({ entry, host, place, channel, children }: CardProps) {
  const t = useTexts('composer')
  const dispatch = useAppDispatch()
  const linkPreviews = useSetting('linkPreviews')
  const account = useAppSelector((state) => sidebarKey(selectSession(state)))
  const { url } = entry
  const { title, text, siteName, picture } = entry.preview ?? {}
  const { triggerProps, menu } = useMenu({
    label: t('previews.more', { host }),
    placement: { side: 'above', align: 'end', gap: 4 },
    items: () => [
      {
        id: 'site',
        icon: 'ban',
        label: t('previews.neverSite', { host }),
        onSelect: () =>
          void dispatch(choosePreviews({ ...linkPreviews, blocked: [...new Set([...linkPreviews.blocked, host])] })),
      },
      {
        id: 'channel',
        icon: 'eye-off',
        label: t('previews.neverHere'),
        onSelect: () => void dispatch(choosePreviews(withChannel(linkPreviews, { account, cid: channel.cid }, false))),
      },
    ],
  })
  return (
    <li className={styles['card']} aria-label={t('previews.card', { host })} data-link-preview={place.key}>
      <div className={styles['facts']}>
        <div className={styles['site']}>
          <b aria-hidden="true">{host.charAt(0).toUpperCase()}</b>
          <bdi className="ellipsis">{cleanName(siteName ?? host)}</bdi>
        </div>
        <div className={styles['title']} dir="auto">
          {cleanName(title ?? '') || host}
        </div>
        <div className={styles['text']} dir="auto">
          {cleanName(text ?? '') || url}
        </div>
      </div>
      {picture === undefined ? null : <Picture source={picture} />}
      <IconButton icon="more" size="tiny" label={t('previews.more', { host })} tooltipSide="above" {...triggerProps} />
      {children}
      {menu}
    </li>
  )
}

function Picture({ source }: { readonly source: string }) {
  const { url, failed, onError } = useMediaUrl(source, 'thumb')
  if (failed) return null
  return (
    <span className={styles['picture']} aria-hidden="true">
      {url === undefined ? null : <img src={url} alt="" draggable={false} onError={onError} />}
    </span>
  )
}
