import { useId, useState, type KeyboardEvent } from 'react'
import type { Channel } from '#shared/domain/channel.ts'
import type { ErrorBody, Result } from '#shared/lib/app-error.ts'
import { asCid, type Cid, type MessageId } from '#shared/lib/brand.ts'
import { cleanName } from '#shared/lib/clean-text.ts'
import { comparePlaced } from '#shared/domain/message.ts'
import { maySendMessage, mayUpload } from '#shared/rules/channels/capabilities.ts'
import { filesToForward } from '#shared/rules/messages/forward.ts'
import { optionPress } from '../../../lib/page/focus.ts'
import { useFormats, useRemark, useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { fold } from '../../../lib/text/fold.ts'
import { useAppDispatch, useAppSelector, useAppStore, useMe } from '../../../store/hooks.ts'
import { Button } from '../../../ui/Button/Button.tsx'
import { Dialog } from '../../../ui/Dialog/Dialog.tsx'
import { Icon, type IconName } from '../../../ui/Icon/Icon.tsx'
import { TextField } from '../../../ui/Field/TextField.tsx'
import { channelTitle, openDirect, selectConversationOrder, useOthers } from '../../sidebar/index.ts'
import { EmojiText } from '../../emoji/index.ts'
import { selectName } from '../../people/index.ts'
import { forwardMessage } from '../actions/commands.ts'
import { forwardText } from '../actions/copy.ts'
import { useLineOf } from '../../attachments/index.ts'
import styles from './ForwardDialog.module.css'

type ForwardDialogProps = { readonly messageIds: readonly MessageId[]; readonly onClose: () => void }

/** Forwards messages to other conversations with an optional comment. */
export function ForwardDialog({ messageIds, onClose }: ForwardDialogProps) {
  const t = useTexts('messages')
  const common = useTexts('common')
  const [cids, setCids] = useState<readonly string[]>([])
  useOthers()
  const [comment, setComment] = useState('')
  const { send, working, formMessage } = useForward(messageIds, onClose)
  const submit = (): void => {
    if (cids.length === 0) formMessage.show('nowhere')
    else void send(cids, comment)
  }
  return (
    <Dialog
      title={t('forward.title', { count: messageIds.length })}
      onClose={onClose}
      onSubmit={submit}
      hint={cids.length === 0 ? undefined : t('forward.chosen', { count: cids.length })}
      actions={
        <>
          <Button onClick={onClose}>{common('cancel')}</Button>
          <Button type="submit" variant="primary" working={working}>
            {t('forward.send')}
          </Button>
        </>
      }
    >
      <Places
        chosen={cids}
        error={formMessage.text}
        onToggle={(cid) => {
          formMessage.clear()
          setCids(cids.includes(cid) ? cids.filter((other) => other !== cid) : [...cids, cid])
        }}
      />
      <TextField label={t('forward.comment')} optional={t('forward.optional')} value={comment} onChange={setComment} />
      <Preview messageIds={messageIds} />
    </Dialog>
  )
}

/** Sends to one conversation after the other; the first error stops and is shown in the dialog. */
function useForward(messageIds: readonly MessageId[], onDone: () => void) {
  const t = useTexts('messages')
  const dispatch = useAppDispatch()
  const store = useAppStore()
  const [working, setWorking] = useState(false)
  const formMessage = useRemark((own: 'nowhere') => t(`forward.${own}`))
  const openPlace = async (place: string): Promise<Result<Cid, ErrorBody>> =>
    place.startsWith(PERSON)
      ? dispatch(openDirect({ userIds: [place.slice(PERSON.length)] }))
      : { ok: true, value: asCid(place) }
  const send = async (cids: readonly string[], comment: string): Promise<void> => {
    const state = store.getState()
    const messages = messageIds.flatMap((id) => state.entities.messages[id] ?? []).toSorted(comparePlaced)
    const contentFor = (channel: Channel | undefined) => {
      const files = channel !== undefined && mayUpload(channel) ? filesToForward(messages) : []
      const isForwarded = (id: string, index: number): boolean =>
        files.some((file) => file.messageId === id && file.index === index)
      const nameOf = (id: string): string => selectName(state, id)
      const text = {
        nameOf,
        from: (name: string) => t('forward.from', { name }),
        emptyAs: t('media.file'),
        isForwarded,
      }
      return { text: forwardText(messages, comment, text), files }
    }
    setWorking(true)
    for (const place of cids) {
      const opened = await openPlace(place)
      const channel = opened.ok ? store.getState().entities.channels[opened.value] : undefined
      const sent = opened.ok ? await dispatch(forwardMessage({ cid: opened.value, ...contentFor(channel) })) : opened
      if (sent.ok) continue
      setWorking(false)
      formMessage.refuse(sent.error)
      return
    }
    announce(t('forward.done', { count: cids.length }))
    onDone()
  }
  return { send, working, formMessage }
}

function Preview({ messageIds }: { readonly messageIds: readonly MessageId[] }) {
  const t = useTexts('messages')
  const message = useAppSelector((state) => state.entities.messages[messageIds[0] ?? ''])
  const name = useAppSelector((state) => selectName(state, message?.userId ?? ''))
  const lineOf = useLineOf()
  if (message === undefined) return null
  const more = messageIds.length - 1
  const files = message.attachments.length
  const forwarded = filesToForward([message]).length
  return (
    <figure className={styles['preview']}>
      <figcaption>{t('forward.from', { name })}</figcaption>
      <p dir="auto">
        <EmojiText text={lineOf(message)} />
        {more > 0 ? <span className={styles['more']}>{t('forward.more', { count: more })}</span> : null}
      </p>
      {forwarded === 0 ? null : <p className={styles['more']}>{t('forward.along', { count: forwarded })}</p>}
      {files > forwarded ? <p className={styles['more']}>{t('forward.filesByName')}</p> : null}
    </figure>
  )
}

type PlacesProps = {
  readonly chosen: readonly string[]
  readonly error: string | undefined
  readonly onToggle: (cid: string) => void
}

/** Conversations the viewer may write in, and people there is no conversation with yet. Typing filters, arrows move, Enter toggles. */
function Places({ chosen, error, onToggle }: PlacesProps) {
  const t = useTexts('messages')
  const listId = useId()
  const [query, setQuery] = useState('')
  const [active, setActive] = useState(0)
  const places = usePlaces(query)
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    const here = places[active]
    if (step !== 0) setActive((at) => Math.max(0, Math.min(places.length - 1, at + step)))
    else if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey && here !== undefined) onToggle(here.cid)
    else return
    event.preventDefault()
  }
  return (
    <div>
      <TextField
        label={t('forward.where')}
        value={query}
        error={error}
        icon="search"
        autoComplete="off"
        role="combobox"
        aria-expanded={places.length > 0}
        aria-controls={listId}
        aria-activedescendant={places[active] === undefined ? undefined : `${listId}-${active}`}
        onKeyDown={onKeyDown}
        onChange={(value) => {
          setQuery(value)
          setActive(0)
        }}
      />
      <div id={listId} role="listbox" aria-multiselectable aria-label={t('forward.where')} className={styles['places']}>
        {places.length === 0 ? <p className={styles['none']}>{t('forward.none')}</p> : null}
        {places.map(({ cid, title, icon }, at) => (
          <div
            key={cid}
            id={`${listId}-${at}`}
            role="option"
            tabIndex={-1}
            aria-selected={chosen.includes(cid)}
            data-active={at === active || undefined}
            className={styles['place']}
            {...optionPress(() => onToggle(cid))}
          >
            <Icon name={icon} size={16} />
            <bdi className="ellipsis">{title}</bdi>
            {chosen.includes(cid) ? <Icon name="check" size={16} /> : null}
          </div>
        ))}
      </div>
    </div>
  )
}

/** Marks a person among the places; no channel's id begins with it. */
const PERSON = '@'

/** Rows shown; others are found by typing. */
const MAX_SHOWN = 8

function usePlaces(query: string) {
  const order = useAppSelector(selectConversationOrder)
  const state = useAppStore().getState()
  const users = useAppSelector(({ entities }) => entities.users)
  const me = useMe()?.id
  const { compare } = useFormats()
  const wanted = fold(query.trim())
  const channels = order.flatMap((cid) => state.entities.channels[cid] ?? [])
  const known = new Set(channels.flatMap(({ directUserIds }) => (directUserIds.length === 1 ? directUserIds : [])))
  const isWanted = ({ title }: { readonly title: string }): boolean => fold(title).includes(wanted)
  const conversations = channels
    .filter(maySendMessage)
    .map((channel) => ({ cid: channel.cid as string, title: channelTitle(state, channel.cid), icon: iconOf(channel) }))
    .filter(isWanted)
  const people = Object.values(users)
    .filter(({ id, banned }) => id !== me && !banned && !known.has(id))
    .map(({ id, name }) => ({ cid: `${PERSON}${id}`, title: cleanName(name), icon: 'user' as const }))
    .filter(isWanted)
    .toSorted((a, b) => compare(a.title, b.title))
  return [...conversations, ...people].slice(0, MAX_SHOWN)
}

const iconOf = ({ directUserIds, isPrivate }: Channel): IconName =>
  directUserIds.length > 0 ? 'chat' : isPrivate ? 'lock' : 'hash'
