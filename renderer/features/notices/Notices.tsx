import { useState, type ReactNode, type RefObject, useCallback, useEffect, useLayoutEffect, useRef } from 'react'
import { useTexts, useErrorText } from '../../i18n/index.ts'
import { useAppSelector, useAppDispatch, useSetting } from '../../store/hooks.ts'
import { asSentence } from '../../lib/text/as-sentence.ts'
import { usePageInView } from '../../lib/page/page-in-view.ts'
import styles from './Notices.module.css'
import { createSelector } from '@reduxjs/toolkit'
import type { AppState } from '../../store/store.ts'
import { type LocalNotice, noticeDismissed } from '../../store/window/notices.ts'
import { undoRecent } from '../../store/window/recent.ts'
import { NOTICE_DURATION_MS } from '#shared/constants.ts'
import { useCountdown } from '../../lib/time/clocks.ts'
import { command } from '../../store/command.ts'
import type { IconName } from '../../ui/Icon/Icon.tsx'
import { onTopModal, topModal } from '../../ui/Modal/Modal.tsx'
import { Toast, ToastActions } from '../../ui/Toast/Toast.tsx'
import type { Notice } from '#shared/domain/notification.ts'

/** Rules of uploads, of the channel or of the composer that refused a file. */
const RULES = [
  'allowed_file_extensions',
  'blocked_file_extensions',
  'allowed_mime_types',
  'blocked_mime_types',
  'size_limit',
  'empty',
  'capability',
  'slots',
] as const
const isRule = (reason: string): reason is (typeof RULES)[number] => RULES.some((rule) => rule === reason)

/** The reason and the file, if the notice has them: its agreed text has neither. */
function useReason(notice: Notice): string | undefined {
  const t = useTexts('notices')
  const errorText = useErrorText()
  const { reason, name } = notice.params ?? {}
  if (typeof reason !== 'string') return undefined
  const text = isRule(reason) ? t(`reasons.${reason}`) : errorText({ code: reason })
  // The reason would repeat the notice.
  if (text === errorText(notice)) return undefined
  return typeof name === 'string' && name !== '' ? t('why', { name, reason: text }) : text
}

export function NoticeReason({ notice }: { readonly notice: Notice }) {
  const reason = useReason(notice)
  return reason === undefined ? null : <p className={styles['reason']}>{reason}</p>
}

const ICONS: Readonly<Record<LocalNotice['severity'], IconName>> = {
  error: 'alert-circle',
  warning: 'alert-triangle',
  info: 'info',
  success: 'circle-check',
}

/** Quiet: the engine raises a notice if the upload no longer exists. */
const uploadRetried = command(
  'uploads/retried',
  (upload: { readonly id: string }, engine) => engine.uploads.retry(upload),
  { quiet: true },
)

const exportedShown = command('data/exportedShown', (_input: void, engine) =>
  engine.data.showFolder({ which: 'exported' }),
)

type Props = {
  readonly notice: LocalNotice
  readonly paused: boolean
  /** A card that had the focus or the pointer and is gone reports neither blur nor leave. */
  readonly onGone: () => void
}

/** One notice. Dismissed automatically after its time, which stops while `paused`, or when its cause has ended. */
function NoticeCard({ notice, paused, onGone }: Props) {
  useEffect(() => onGone, [onGone])
  const t = useTexts('notices')
  const errorText = useErrorText()
  const dispatch = useAppDispatch()
  const dismiss = useCallback(() => dispatch(noticeDismissed({ id: notice.id })), [dispatch, notice.id])
  const noticeSeconds = useSetting('noticeSeconds')
  const chosen = Math.max(notice.durationMs ?? NOTICE_DURATION_MS, noticeSeconds * 1_000)
  useCountdown(chosen, paused || noticeSeconds === 0 || notice.lasting === true, dismiss)
  const reason = useReason(notice)
  const about = notice.about && errorText(notice.about)
  const parts = [errorText(notice), about, reason].filter((part) => part !== undefined)
  const assertive = notice.severity === 'error' || notice.severity === 'warning'
  return (
    <Toast
      icon={ICONS[notice.severity]}
      tone={notice.severity}
      title={errorText(notice)}
      announcement={{ id: notice.id, text: parts.map(asSentence).join(' '), assertive }}
      dismissLabel={t('dismiss')}
      onDismiss={dismiss}
    >
      {about === undefined ? null : <p className={styles['reason']}>{about}</p>}
      {reason === undefined ? null : <p className={styles['reason']}>{reason}</p>}
      <UndoRecent notice={notice} onDone={dismiss} />
      <TryAgain notice={notice} onDone={dismiss} />
      <ShowExported notice={notice} onDone={dismiss} />
      {notice.detail === undefined ? null : <CopyDetails notice={notice} detail={notice.detail} />}
    </Toast>
  )
}

/** Retries a failed upload, like the button on its tile. */
function TryAgain({ notice, onDone }: ActionProps) {
  const t = useTexts('notices')
  const dispatch = useAppDispatch()
  const uploadId = notice.params?.['uploadId']
  if (typeof uploadId !== 'string') return null
  return <Action label={t('tryAgain')} onPress={() => void dispatch(uploadRetried({ id: uploadId }))} onDone={onDone} />
}

/** Undoes what the notice says, unless that happened elsewhere meanwhile. */
function UndoRecent({ notice: { undoId }, onDone }: ActionProps) {
  const t = useTexts('notices')
  const dispatch = useAppDispatch()
  const action = useAppSelector(({ recent }) => recent.find(({ id }) => id === undoId))
  if (action?.state !== 'done') return null
  return <Action label={t('undo')} onPress={() => void dispatch(undoRecent(action.id))} onDone={onDone} />
}

/** Shows the file that the notice is about in its folder. */
function ShowExported({ notice: { showsExported = false }, onDone }: ActionProps) {
  const t = useTexts('notices')
  const dispatch = useAppDispatch()
  if (!showsExported) return null
  return <Action label={t('showInFolder')} onPress={() => void dispatch(exportedShown())} onDone={onDone} />
}

type ActionProps = { readonly notice: LocalNotice; readonly onDone: () => void }

/** What can be done about a notice; it is done with then. */
function Action({
  label,
  onPress,
  onDone,
}: Pick<ActionProps, 'onDone'> & { readonly label: string; readonly onPress: () => void }) {
  return (
    <ToastActions>
      <button
        type="button"
        onClick={() => {
          onPress()
          onDone()
        }}
      >
        {label}
      </button>
    </ToastActions>
  )
}

function CopyDetails({ notice, detail }: { readonly notice: LocalNotice; readonly detail: string }) {
  const t = useTexts('common')
  const [copied, setCopied] = useState(false)
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(`${notice.code}\n${detail}\n${new Date(notice.createdAt).toISOString()}`)
    setCopied(true)
  }
  return (
    <ToastActions>
      <button type="button" onClick={() => void copy()}>
        {copied ? t('copied') : t('copyDetails')}
      </button>
    </ToastActions>
  )
}

/**
 * The newest notices over the lower corner. Their time stops while they have the pointer or focus, or the page is not in
 * view. `children`: notices of other features, shown below until they are dismissed.
 */
export function NoticeRegion({ children }: { readonly children?: ReactNode }) {
  const t = useTexts('notices')
  const shown = useAppSelector(selectShownNotices)
  const overComposer = useAppSelector((state) => state.ui.route.view === 'channel')
  const inView = usePageInView()
  const [interacting, setInteracting] = useState(false)
  const region = useRef<HTMLElement>(null)
  const stack = useRef<HTMLDivElement>(null)
  const held = useFreePlace(region, overComposer)
  const look = useCallback(() => setInteracting(stack.current?.matches(':hover, :focus-within') === true), [])
  return (
    <section
      ref={region}
      className={overComposer ? styles['region'] : `${styles['region']} ${styles['low']}`}
      aria-label={t('region')}
      data-region="notices"
    >
      <div
        ref={stack}
        role="presentation"
        className={styles['stack']}
        onPointerEnter={() => setInteracting(true)}
        onPointerLeave={() => setInteracting(false)}
        onFocus={() => setInteracting(true)}
        onBlur={(event) => !event.currentTarget.contains(event.relatedTarget) && setInteracting(false)}
      >
        {shown.map((notice) => (
          <NoticeCard key={notice.id} notice={notice} paused={interacting || held || !inView} onGone={look} />
        ))}
        {children}
      </div>
    </section>
  )
}

/**
 * Keeps the notices off the box of an open dialog: in their usual corner, else in the upper one. Where neither is free they
 * are held until the dialog is closed; returns whether they are. Where no composer keeps the list above them, its end can be
 * scrolled above them.
 */
function useFreePlace(ref: RefObject<HTMLElement | null>, overComposer: boolean): boolean {
  const [held, setHeld] = useState(false)
  useLayoutEffect(() => {
    const { style } = document.documentElement
    const leaveRoom = (height: number): void => {
      const room = height > 0 ? `${Math.ceil(height) + CORNER_PX}px` : ''
      if (style.getPropertyValue(ROOM) !== room) style.setProperty(ROOM, room)
    }
    const place = (): void => {
      const region = ref.current
      if (region === null) return
      const box = topModal()?.querySelector('[data-modal-box]')?.getBoundingClientRect()
      const free = PLACES.find((name) => {
        region.dataset['place'] = name
        return box === undefined || !overlap(region.getBoundingClientRect(), box)
      })
      region.dataset['place'] = free ?? 'held'
      setHeld(free === undefined)
      leaveRoom(free === 'usual' && !overComposer ? region.getBoundingClientRect().height : 0)
    }
    const sizes = new ResizeObserver(place)
    const watch = (): void => {
      sizes.disconnect()
      const box = topModal()?.querySelector('[data-modal-box]')
      for (const element of [ref.current, box]) if (element) sizes.observe(element)
      place()
    }
    watch()
    const stop = onTopModal(watch)
    window.addEventListener('resize', place)
    return () => {
      sizes.disconnect()
      stop()
      window.removeEventListener('resize', place)
      leaveRoom(0)
    }
  }, [ref, overComposer])
  return held
}

/** How much of the lower edge the notices take on a page that scrolls to its end: its body has that much room below. */
const ROOM = '--notices-room'
/** What keeps them from the edge of the window, and a gap. */
const CORNER_PX = 32

const PLACES = ['usual', 'top'] as const

const overlap = (a: DOMRect, b: DOMRect): boolean =>
  a.width > 0 && a.height > 0 && a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom

const MAX_SHOWN = 3

export const selectEngineNotices = (state: AppState) => state.entities.notices
export const selectLocal = (state: AppState) => state.notices.local
const selectDismissed = (state: AppState) => state.notices.dismissed

/** The newest three notices that are not dismissed and whose cause has not ended, oldest first. */
const selectShownNotices = createSelector(
  [selectEngineNotices, selectLocal, selectDismissed],
  (fromEngine, local, dismissed): readonly LocalNotice[] =>
    [...Object.values(fromEngine), ...local]
      .filter((notice) => !notice.over && !(notice.id in dismissed))
      .toSorted((a, b) => a.createdAt - b.createdAt)
      .slice(-MAX_SHOWN),
)
