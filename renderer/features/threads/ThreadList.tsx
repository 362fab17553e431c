import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { composerKey } from '#shared/domain/draft.ts'
import type { Message } from '#shared/domain/message.ts'
import { useTexts } from '../../i18n/index.ts'
import { announce } from '../../lib/page/announce.ts'
import { keyOf } from '../../lib/text/chords.ts'
import { useRoving } from '../../lib/page/roving.ts'
import { focusRequested } from '../../store/composers/composers.ts'
import { useAppDispatch, useAppStore } from '../../store/hooks.ts'
import { Button } from '../../ui/Button/Button.tsx'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { followThread, markThreadRead, markThreadUnread, showBeside, type ThreadPlace } from './commands.ts'
import { ThreadCard } from './ThreadCard.tsx'
import type { InboxList } from './use-inbox.ts'
import styles from './Inbox.module.css'

type Props = { readonly list: InboxList; readonly offline: boolean }

/** One tab stop: arrows or J and K move, Enter opens, R replies here, E marks read, U marks unread. */
export function ThreadList({ list, offline }: Props) {
  const t = useTexts('thread')
  const dispatch = useAppDispatch()
  const store = useAppStore()
  const { ids } = list
  const roving = useRoving({ ids })
  const { ref, onKeyDown, onFocus } = roving.containerProps

  const [replyTo, setReplyTo] = useState<string>()
  const reply = (message: Message | undefined): void => {
    if (message === undefined && replyTo !== undefined) roving.focus(replyTo)
    setReplyTo(message?.id)
    if (message !== undefined) dispatch(focusRequested({ key: composerKey(message.cid, message.id) }))
  }
  const { open, read, unread } = useThreadActions()
  const step = (from: Message['id'], by: 1 | -1): void => {
    const at = Math.max(0, Math.min(ids.length - 1, ids.indexOf(from) + by))
    roving.focus(ids[at] ?? from)
  }
  const onLetter = (event: KeyboardEvent): void => {
    const message = store.getState().entities.messages[threadOfKey(event) ?? '']
    if (message === undefined) return
    const run = {
      j: () => step(message.id, 1),
      k: () => step(message.id, -1),
      e: () => void read(message),
      u: () => void unread(message),
      r: () => reply(message),
    }[keyOf(event)]
    if (run === undefined) return
    event.preventDefault()
    event.stopPropagation()
    run()
  }
  return (
    <>
      <div className={styles['freshPlace']} role="status">
        {list.fresh === 0 ? null : (
          <button type="button" className={styles['fresh']} onClick={list.showFresh}>
            <Icon name="arrow-up" size={16} />
            {t('inbox.fresh', { count: list.fresh })}
          </button>
        )}
      </div>
      <ul
        ref={(element) => {
          ref.current = element
        }}
        aria-label={t('inbox.list')}
        className={styles['list']}
        onFocus={onFocus}
        onKeyDown={(event) => {
          onLetter(event)
          onKeyDown(event)
        }}
      >
        {ids.map((id) => (
          <ThreadCard
            key={id}
            id={id}
            item={roving.itemProps(id)}
            onOpen={open}
            onRead={(message) => void read(message)}
            onUnread={(message) => void unread(message)}
            replying={replyTo === id}
            onReply={reply}
            onFollow={(message, follows) => void dispatch(followThread({ ...placeOf(message), follows }))}
          />
        ))}
      </ul>
      {list.hasMore ? <More list={list} offline={offline} /> : null}
    </>
  )
}

/** Opening a thread beside the list, and marking it read or unread. */
function useThreadActions() {
  const t = useTexts('thread')
  const dispatch = useAppDispatch()
  const store = useAppStore()
  /** The viewer's own reply cannot be marked unread; then the whole thread is. */
  function firstOfOthers(reply: Message | undefined): { readonly messageId?: Message['id'] } {
    const me = store.getState().entities.session['self']?.userId
    return reply === undefined || reply.userId === me ? {} : { messageId: reply.id }
  }
  return {
    open: ({ cid, id }: Message, pressed: boolean): void => {
      dispatch(showBeside({ cid, parentId: id }))
      // Opened by key, the heading takes the focus and is announced; by click, the composer takes it.
      if (pressed) dispatch(focusRequested({ key: composerKey(cid, id) }))
    },
    read: async (message: Message): Promise<void> => {
      const done = await dispatch(markThreadRead(placeOf(message)))
      if (done.ok) announce(t('inbox.saidRead'))
    },
    unread: async (message: Message): Promise<void> => {
      const { lastReplyId } = message.thread ?? {}
      const from = lastReplyId === undefined ? {} : firstOfOthers(store.getState().entities.messages[lastReplyId])
      const done = await dispatch(markThreadUnread({ ...placeOf(message), ...from }))
      if (done.ok) announce(t('inbox.saidUnread'))
    },
  }
}

/** The thread whose row a plain key is for; `undefined` in a reply, where keys are text. */
function threadOfKey({ target, altKey, ctrlKey, metaKey }: KeyboardEvent): string | undefined {
  if (altKey || ctrlKey || metaKey) return undefined
  if (!(target instanceof Element) || target.closest('[data-reply]') !== null) return undefined
  return target.closest('[data-thread]')?.getAttribute('data-thread') ?? undefined
}

const placeOf = ({ cid, id }: Message): ThreadPlace => ({ cid, parentId: id })

/** Loads the next page automatically when the end comes into view, or on click. */
function More({ list, offline }: Props) {
  const t = useTexts('thread')
  const ref = useRef<HTMLDivElement>(null)
  const more = useRef(list.more)
  const mayAsk = !list.loading && !list.pageFailed && !offline
  useEffect(() => {
    more.current = list.more
  })
  useEffect(() => {
    const element = ref.current
    if (element === null || !mayAsk || typeof IntersectionObserver === 'undefined') return undefined
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) more.current()
      },
      { rootMargin: '600px' },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [mayAsk])
  return (
    <div ref={ref} className={styles['more']}>
      {list.pageFailed ? <span role="alert">{t('inbox.failedMore')}</span> : null}
      <Button variant="quiet" working={list.loading} onClick={list.more}>
        {t(list.pageFailed ? 'inbox.again' : 'inbox.more')}
      </Button>
    </div>
  )
}
