import { type ContextType, useEffect, useLayoutEffect, useState, useRef, type ReactNode } from 'react'
import { BACKOFF_CAP_MS } from '#shared/constants.ts'
import type { LoadingPart } from '#shared/domain/session.ts'
import { useErrorText, useFormats, useTexts } from '../../i18n/index.ts'
import { announce } from '../../lib/page/announce.ts'
import { useMinute, useDelayed } from '../../lib/time/clocks.ts'
import { useAppDispatch, useAppSelector, useConnection, useAppServices, useEngine } from '../../store/hooks.ts'
import { bannerShown, selectHost, type HostPresence, selectHostUnavailable } from '../../store/window/host.ts'
import { selectAccount, selectAccounts } from '../../store/accounts.ts'
import type { Thunk } from '../../store/store.ts'
import { dialogOpened, routeOpened } from '../../store/window/ui.ts'
import { Banner } from '../../ui/Banner/Banner.tsx'
import { command } from '../../store/command.ts'
import { cx } from '../../lib/cx.ts'
import { Button } from '../../ui/Button/Button.tsx'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { EarlyField } from '../../ui/Modal/Modal.tsx'
import { Popover } from '../../ui/Popover/Popover.tsx'
import { PartFallback } from '../../lib/page/part.tsx'
import { Empty } from '../../ui/View/Empty.tsx'
import { Dialog, DialogText } from '../../ui/Dialog/Dialog.tsx'
import styles from './Connection.module.css'

/** Under the header while the connection is lost: what it means, when the next try is, and a button to retry. */
export function ConnectionBanner() {
  const t = useTexts('common')
  const errorText = useErrorText()
  const dispatch = useAppDispatch()
  const { state, offline, blocked, serverRestarting, trouble } = useConnection()
  const host = useAppSelector(selectHost)
  const stopped = host.state === 'here' ? undefined : t(stoppedText(host))
  useEffect(() => {
    if (stopped !== undefined) announce(stopped, { assertive: true })
  }, [stopped])
  if (stopped !== undefined) return <StoppedBanner>{stopped}</StoppedBanner>
  if (blocked !== undefined) {
    return (
      <Banner icon="alert-triangle" action={t('connection.signInAgain')} onAction={() => dispatch(signInAgain())}>
        {errorText({ code: blocked })}
      </Banner>
    )
  }
  if (serverRestarting) return <Banner icon="refresh">{t('connection.serverRestarting')}</Banner>
  // A trouble is shown while connected, or together with the lost connection; not for a short loss.
  if (!offline && (trouble === undefined || state !== 'healthy')) return null
  return (
    <Banner
      icon={trouble === undefined ? 'wifi-off' : 'alert-triangle'}
      silent
      action={t('connection.tryNow')}
      working={state === 'connecting'}
      onAction={() => void dispatch(reconnect(undefined))}
    >
      <OfflineText />
    </Banner>
  )
}

/** Main is unreachable: unlike with a lost network nothing can be sent, and nothing can be loaded from disk. */
function StoppedBanner({ children }: { readonly children: string }) {
  const t = useTexts('common')
  const dispatch = useAppDispatch()
  const { bridge } = useAppServices()
  const { state } = useAppSelector(selectHost)
  // In a layout effect, so that failed calls raise no notice of their own: the banner already explains them.
  useLayoutEffect(() => {
    dispatch(bannerShown(true))
    return () => void dispatch(bannerShown(false))
  }, [dispatch])
  if (state === 'shut') return <Banner icon="alert-triangle">{children}</Banner>
  return (
    <Banner icon="alert-triangle" action={t('connection.tryNow')} onAction={() => bridge.lookForHost?.()}>
      {children}
    </Banner>
  )
}

const stoppedText = ({ state, backedUp }: HostPresence) =>
  `host.${state === 'shut' ? 'shut' : 'gone'}.${backedUp ? 'kept' : 'here'}` as const

/** The same text for the chip in the title strip. */
function StoppedText() {
  const t = useTexts('common')
  return <>{t(stoppedText(useAppSelector(selectHost)))}</>
}

/** What a lost connection means, and when it is tried again. */
function OfflineText() {
  const t = useTexts('common')
  const formats = useFormats()
  const errorText = useErrorText()
  const { state, nextTryAt, knownUntil, trouble } = useConnection()
  const seconds = useSecondsUntil(nextTryAt)
  const now = useMinute()
  return (
    <>
      {trouble === undefined ? (
        <>
          <b>{t('connection.lost')}</b> {t('connection.keepGoing')}
        </>
      ) : (
        errorText({ code: trouble })
      )}{' '}
      {knownUntil === undefined ? '' : `${t('connection.asOf', { time: formats.timeOrDay(knownUntil, now) })} `}
      {state === 'connecting'
        ? t('connection.connecting')
        : seconds !== undefined && seconds > 0
          ? t('connection.nextTry', { count: seconds })
          : ''}
    </>
  )
}

/** Opens the dialog for a new token if one helps, else the settings page of the accounts. */
function signInAgain(): Thunk {
  return (dispatch, getState) => {
    const account = selectAccount(getState(), selectAccounts(getState()).shown ?? '')
    if (account?.kind === 'hosted') dispatch(dialogOpened({ kind: 'renew', account: account.key }))
    else dispatch(routeOpened({ view: 'settings', section: 'account' }))
  }
}

/** The next try is at most the cap of the backoff away. */
const MAX_WAIT_MS = BACKOFF_CAP_MS

/** Whole seconds until an instant, counted down; `undefined` without one. */
function useSecondsUntil(at: number | undefined): number | undefined {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (at === undefined) return undefined
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [at])
  // `now` may be from before the try was planned, since it changes only with each tick.
  return at === undefined ? undefined : Math.max(0, Math.ceil((at - Math.max(now, at - MAX_WAIT_MS)) / 1_000))
}

const reconnect = command('connection/tried', (_input: undefined, engine) => engine.session.reconnect())

const INPUT_EVENTS = ['keydown', 'pointerdown', 'online'] as const
/** Main limits the rate too; this only avoids a bridge call for every key. */
const EVERY_MS = 1_000

/** While data is missing, user input or a new network makes main retry at once instead of waiting for the planned try. */
export function useRetryOnInput(): void {
  const engine = useEngine()
  const { state, stillLoading } = useConnection()
  const isMissing = state !== 'healthy' || stillLoading !== undefined
  useEffect(() => {
    if (!isMissing) return undefined
    let reportedAt = Number.NEGATIVE_INFINITY
    const report = (): void => {
      if (performance.now() - reportedAt < EVERY_MS) return
      reportedAt = performance.now()
      engine.session.reportActivity().catch(() => {
        // The bridge is lost, which the window shows elsewhere.
      })
    }
    for (const name of INPUT_EVENTS) window.addEventListener(name, report, { passive: true, capture: true })
    return () => {
      for (const name of INPUT_EVENTS) window.removeEventListener(name, report, { capture: true })
    }
  }, [engine, isMissing])
}

/** Loading is shown only if it takes longer. */
const STILL_MS = 800

/** In the title strip: nothing while connected, else the state in one word; a click explains it and offers actions. */
export function ConnectionChip() {
  const t = useTexts('common')
  const { state, offline, blocked, stillLoading, trouble } = useConnection()
  useLineAnnounced()
  const still = useDelayed(state === 'healthy' && stillLoading !== undefined, STILL_MS) ? stillLoading?.[0] : undefined
  const connecting = useDelayed(state === 'connecting' && !offline, 800)
  const stopped = useAppSelector(selectHostUnavailable)
  const isTroubled = trouble !== undefined && (offline || state === 'healthy')
  const isOff = stopped || offline || blocked !== undefined || isTroubled
  return (
    <span aria-live={isOff && blocked === undefined ? 'off' : 'polite'} className={styles['place']}>
      {isOff || connecting || still !== undefined ? (
        <Chip isOff={isOff}>
          {isOff ? <i className={styles['dot']} /> : <Icon name="refresh" size={14} />}
          <span className="ellipsis">
            {stopped
              ? t('host.stopped')
              : blocked !== undefined
                ? t('connection.signInAgain')
                : isTroubled
                  ? t('connection.trouble')
                  : still !== undefined && !isOff
                    ? t(`connection.still.${still}`)
                    : t(isOff ? 'connection.offline' : 'connection.connecting')}
          </span>
        </Chip>
      ) : null}
    </span>
  )
}

/** Announces a lost connection and its return, once each; other views of the connection are silent. */
function useLineAnnounced(): void {
  const t = useTexts('common')
  const { state, offline } = useConnection()
  const wasOffline = useRef(false)
  useEffect(() => {
    if (offline && !wasOffline.current) announce(t('connection.lost'), { assertive: true })
    else if (wasOffline.current && !offline && state === 'healthy') announce(t('connection.again'))
    if (offline) wasOffline.current = true
    else if (state === 'healthy') wasOffline.current = false
  }, [offline, state, t])
}

function Chip({ isOff, children }: { readonly isOff: boolean; readonly children: ReactNode }) {
  const t = useTexts('common')
  const [anchor, setAnchor] = useState<Element>()
  const close = (): void => setAnchor(undefined)
  return (
    <>
      <button
        type="button"
        className={cx(styles['chip'], isOff && styles['off'])}
        aria-haspopup="dialog"
        aria-expanded={anchor !== undefined}
        onClick={({ currentTarget }) => setAnchor(currentTarget)}
      >
        {children}
      </button>
      {anchor === undefined ? null : (
        <Popover label={t('connection.title')} anchor={anchor} onClose={close}>
          <Explained onClose={close} />
        </Popover>
      )}
    </>
  )
}

function Explained({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts('common')
  const errorText = useErrorText()
  const dispatch = useAppDispatch()
  const { state, offline, blocked, stillLoading, trouble } = useConnection()
  const reaching = t(stillLoading === undefined ? 'connection.reaching' : 'connection.stillText')
  const { bridge } = useAppServices()
  const host = useAppSelector(selectHost)
  if (host.state !== 'here') {
    return (
      <div className={styles['explained']}>
        <p>
          <StoppedText /> {host.state === 'gone' ? t('host.how') : null}
        </p>
        {host.state === 'gone' ? (
          <p className={styles['actions']}>
            <Button size="small" variant="primary" onClick={() => bridge.lookForHost?.()}>
              {t('connection.tryNow')}
            </Button>
          </p>
        ) : null}
      </div>
    )
  }
  return (
    <div className={styles['explained']}>
      <p>
        {blocked === undefined ? (
          offline || trouble !== undefined ? (
            <OfflineText />
          ) : (
            reaching
          )
        ) : (
          errorText({ code: blocked })
        )}
      </p>
      <p className={styles['actions']}>
        {blocked === undefined ? (
          <Button
            size="small"
            variant="primary"
            working={state === 'connecting'}
            onClick={() => void dispatch(reconnect(undefined))}
          >
            {t('connection.tryNow')}
          </Button>
        ) : (
          <Button
            size="small"
            variant="primary"
            onClick={() => {
              onClose()
              dispatch(signInAgain())
            }}
          >
            {t('connection.signInAgain')}
          </Button>
        )}
        <Button
          size="small"
          onClick={() => {
            onClose()
            dispatch(routeOpened({ view: 'settings', section: 'advanced' }))
          }}
        >
          {t('connection.more')}
        </Button>
      </p>
    </div>
  )
}

type Props = {
  readonly part: LoadingPart
  /** Error code of the last try, if known. */
  readonly error?: string
}

/** In place of an empty list whose rows have not been loaded yet: loading, offline, or failed. */
export function NotLoaded({ part, error }: Props) {
  const t = useTexts('common')
  const dispatch = useAppDispatch()
  const { state, offline, stillLoading } = useConnection()
  const isFailed = state === 'healthy' && (error !== undefined || stillLoading?.includes(part) === true)
  const isWaiting = useDelayed(!isFailed && !offline, SKELETON_DELAY_MS)
  const again = (): void => void dispatch(reconnect(undefined))
  if (isFailed) {
    return (
      <Empty scene="offline" title={t('unanswered.failed')} action={<Button onClick={again}>{t('tryAgain')}</Button>}>
        {t('unanswered.failedText')}
      </Empty>
    )
  }
  if (offline) {
    return (
      <Empty scene="offline" title={t('unanswered.offline')}>
        {t('unanswered.offlineText')}
      </Empty>
    )
  }
  return isWaiting ? <LoadingText what={t('unanswered.loading')} onRetry={again} /> : null
}

/** Delay before a skeleton is shown. */
export const SKELETON_DELAY_MS = 150
/** After that: what is loading is shown after a second in total, and what to do about it after ten. */
const TEXT_DELAY_MS = 1_000 - SKELETON_DELAY_MS
const LONG_MS = 10_000 - SKELETON_DELAY_MS

type LoadingTextProps = {
  /** "Loading messages…". */
  readonly what: string
  /** Loads again. */
  readonly onRetry?: () => void
}

/** The text of a loading state, beside its skeleton. Renders nothing at first. */
export function LoadingText({ what, onRetry }: LoadingTextProps) {
  const t = useTexts('common')
  const dispatch = useAppDispatch()
  const hasText = useDelayed(true, TEXT_DELAY_MS)
  const isLong = useDelayed(true, LONG_MS)
  return (
    <div role="status" className={hasText ? styles['loading'] : undefined}>
      {hasText ? <p>{isLong ? `${what} ${t('awaited.long')}` : what}</p> : null}
      {isLong ? (
        <p className={styles['actions']}>
          {onRetry === undefined ? null : (
            <Button size="small" onClick={onRetry}>
              {t('tryAgain')}
            </Button>
          )}
          <Button
            size="small"
            variant="quiet"
            onClick={() => dispatch(routeOpened({ view: 'settings', section: 'advanced' }))}
          >
            {t('awaited.why')}
          </Button>
        </p>
      ) : null}
    </div>
  )
}

type UntilLoadedProps = {
  /** Shown while the code is loading normally; by default nothing, or for what is typed into a field that takes that. */
  readonly meanwhile?: ReactNode
  /** Set for dialogs: closes the placeholder. Absent for a part of the window. */
  readonly onClose?: () => void
  /** It is a small part of something else, where one line is room enough. */
  readonly small?: boolean
  readonly children: ReactNode
}

/** What the parts in it show until their code is loaded. While main is unreachable: that they cannot load; they open once main is back. */
export function UntilLoaded({ children, ...how }: UntilLoadedProps) {
  return <PartFallback value={meanwhileOf(how)}>{children}</PartFallback>
}

type How = Omit<UntilLoadedProps, 'children'>
type MeanwhileProps = How & { readonly isTyped?: boolean }

const meanwhileOf =
  (how: How): ContextType<typeof PartFallback> =>
  (opened) =>
    opened ? <Meanwhile onClose={opened.onClose} isTyped /> : <Meanwhile {...how} />

function Meanwhile({ meanwhile, onClose, isTyped = onClose !== undefined, small = false }: MeanwhileProps) {
  const t = useTexts('common')
  const isUnavailable = useAppSelector(selectHostUnavailable)
  const isShut = useAppSelector(({ host }) => host.state === 'shut')
  if (!isUnavailable) return meanwhile ?? (isTyped ? <EarlyField label={t('loading')} onClose={onClose} /> : null)
  const text = isShut ? <StoppedText /> : t('host.opens')
  if (small) return <p className={styles['loading']}>{isShut ? text : t('host.opensWithWhy')}</p>
  if (onClose === undefined) {
    return (
      <Empty scene="chat" title={t('host.stopped')}>
        {text}
      </Empty>
    )
  }
  return (
    <Dialog title={t('host.stopped')} width={400} onClose={onClose}>
      <DialogText>{text}</DialogText>
    </Dialog>
  )
}
