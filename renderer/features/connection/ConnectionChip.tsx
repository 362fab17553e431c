import { useEffect, useRef, useState, type ReactNode } from 'react'
import { useErrorText, useTexts } from '../../i18n/index.ts'
import { announce } from '../../lib/page/announce.ts'
import { useDelayed } from '../../lib/time/clocks.ts'
import { cx } from '../../lib/cx.ts'
import { useAppDispatch, useAppSelector, useConnection, useAppServices } from '../../store/hooks.ts'
import { selectHost, selectHostUnavailable } from '../../store/window/host.ts'
import { routeOpened } from '../../store/window/ui.ts'
import { Button } from '../../ui/Button/Button.tsx'
import { Icon } from '../../ui/Icon/Icon.tsx'
import { Popover } from '../../ui/Popover/Popover.tsx'
import { reconnect, OfflineText, signInAgain, StoppedText } from './ConnectionBanner.tsx'
import styles from './Connection.module.css'

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
