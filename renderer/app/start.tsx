import { StrictMode, useEffect, type ReactNode } from 'react'
import { createRoot } from '../react.ts'
import type { Bridge } from '#shared/bridge/transport.ts'
import type { Effect } from '#shared/domain/changes.ts'
import { readPlaceQuery } from '#shared/bridge/window-place.ts'
import { attach } from '../bridge/attach.ts'
import { type FirstAttach, createEngineClient } from '../bridge/client.ts'
import { createEffectRunner } from '../bridge/effects.ts'
import { createMediaCache, type MediaCache } from '../bridge/media.ts'
import {
  I18nProvider,
  pageLanguages,
  resolveLanguage,
  setClock,
  setWeekStart,
  startI18n,
  systemLanguages,
  useErrorText,
  useTexts,
} from '../i18n/index.ts'
import { dropAnnouncements } from '../lib/page/announce.ts'
import { setCodeSource } from '../lib/page/part.tsx'
import { selectLastChannel, accountKeyOf } from '../store/accounts.ts'
import { noticeRaised } from '../store/window/notices.ts'
import { selectSettings } from '../store/selectors.ts'
import { type AppStore, createStore } from '../store/store.ts'
import { ownPlaceSet, routeOpened } from '../store/window/ui.ts'
import { asCid } from '#shared/lib/brand.ts'
import { App } from './App.tsx'
import { measureSpeed } from './speed.ts'
import { backUpTexts } from './text-backup.ts'
import { applyLook, followLanguage } from './theme.ts'
import { type ErrorBody, errorBodyOf } from '#shared/lib/app-error.ts'
import { Button } from '../ui/Button/Button.tsx'
import { Empty } from '../ui/View/Empty.tsx'
import styles from './layout/Frame.module.css'
import { Provider } from 'react-redux'
import { RegistryContext } from '../registry/feature.ts'
import { AppServicesContext, type AppServices } from '../store/hooks.ts'
import { registry } from './features.ts'

/** What `early.ts` has begun; tests pass a bridge alone. */
type Begun = { readonly bridge: Bridge; readonly firstAttach?: FirstAttach | undefined }

/**
 * Starts a window on a bridge: attaches first, so that the first frame already shows data, then renders. The theme is
 * applied before the first paint. Returns a function that ends the window, for tests.
 */
export async function startApp({ bridge, firstAttach }: Begun, container: HTMLElement): Promise<() => void> {
  const engine = createEngineClient(bridge)
  const store = createStore(engine)
  const effects = new HeldEffects(createEffectRunner(store, bridge.host))
  const own = readPlaceQuery(window.location.search)
  // The snapshot includes the channel that the window shows; a thread is loaded separately.
  const ownChannel = own?.parentId === undefined ? own?.cid : undefined
  const detach = await attach({
    own,
    first: firstAttach,
    bridge,
    engine,
    store,
    onEffect: (effect) => effects.take(effect),
    // During a switch of accounts: the last channel of the next account.
    lastChannel: () =>
      own === undefined ? selectLastChannel(store.getState(), store.getState().ui.leaving?.key) : ownChannel,
    onLost: (error) => store.dispatch(noticeRaised(lostNotice(error))),
  })
  const settings = selectSettings(store.getState())
  applyLook(settings)
  setClock(settings.clock, bridge.host.clock24h)
  setWeekStart(settings.weekStart)
  await Promise.all([
    startI18n(resolveLanguage(settings.language, systemLanguages(bridge.host.kind))),
    registry.ready(store.getState()),
  ])
  const unfollow = followLanguage(store)
  const lastChannel = selectLastChannel(store.getState())
  if (own !== undefined) store.dispatch(ownPlaceSet(own))
  else if (lastChannel !== undefined && lastChannel in store.getState().entities.channels) {
    store.dispatch(routeOpened({ view: 'channel', cid: asCid(lastChannel) }))
  }
  setCodeSource(bridge.onHost && ((listener) => bridge.onHost?.(listener) ?? (() => undefined)))
  const stopBackup = backUpTexts({ bridge, engine, store })
  const media = createMediaCache(bridge)
  forgetOtherAccount(store, media)
  const root = createRoot(container)
  root.render(
    <StrictMode>
      <Providers services={{ bridge, engine, media, own }} store={store}>
        <App />
        <Started then={effects.release} />
      </Providers>
    </StrictMode>,
  )
  const stopMeasuring = measureSpeed({ bridge, store })
  return () => {
    root.unmount()
    stopMeasuring()
    stopBackup()
    setCodeSource(undefined)
    unfollow()
    detach()
  }
}

/**
 * Effects of main, held until the window follows them. Main sends them right after the snapshot; the start would open the
 * last channel over the target of a link, and no one would listen for a command of a native menu.
 */
class HeldEffects {
  readonly #run: (effect: Effect) => void
  #held: Effect[] | undefined = []

  constructor(run: (effect: Effect) => void) {
    this.#run = run
  }

  take(effect: Effect): void {
    if (this.#held) this.#held.push(effect)
    else this.#run(effect)
  }

  readonly release = (): void => {
    const held = this.#held ?? []
    this.#held = undefined
    for (const effect of held) this.#run(effect)
  }
}

/** After the effects of the app beside it, which open its first channel and listen for commands. */
function Started({ then }: { readonly then: () => void }) {
  useEffect(() => {
    const timer = setTimeout(then)
    return () => clearTimeout(timer)
  }, [then])
  return null
}

/** The same id may be another image in another account, and pending announcements belong to the previous one. */
function forgetOtherAccount(store: AppStore, media: MediaCache): void {
  let before = accountKeyOf(store.getState())
  store.subscribe(() => {
    const now = accountKeyOf(store.getState())
    if (now === before) return
    before = now
    media.forget()
    dropAnnouncements()
  })
}

function lostNotice(error: unknown) {
  const { code, detail } = errorBodyOf(error)
  return {
    id: `lost-${Date.now()}`,
    code,
    ...(detail === undefined ? {} : { detail }),
    type: 'bridge:lost',
    severity: 'error' as const,
    createdAt: Date.now(),
  }
}

/** The page cannot connect to main: shows why, and what to do. */
export async function showRefusal(error: unknown, container: HTMLElement): Promise<void> {
  await startI18n(resolveLanguage('system', pageLanguages()))
  createRoot(container).render(<Refused error={errorBodyOf(error)} />)
}

/** Reloading cannot help here: the page's session key is no longer valid. */
const NEEDS_NEW_WINDOW: ReadonlySet<string> = new Set(['bridge/session', 'bridge/code'])

/** Full page: this window cannot connect to the engine. */
function Refused({ error }: { readonly error: ErrorBody }) {
  const t = useTexts('common')
  const errorText = useErrorText()
  return (
    <main className={styles['start']}>
      <Empty
        scene="offline"
        title={t('refused.title')}
        action={
          NEEDS_NEW_WINDOW.has(error.code) ? undefined : (
            <Button variant="primary" onClick={() => location.reload()}>
              {t('tryAgain')}
            </Button>
          )
        }
      >
        {errorText(error)}
      </Empty>
    </main>
  )
}

type Props = { readonly services: AppServices; readonly store: AppStore; readonly children: ReactNode }

/** The contexts that every component of the app uses. */
function Providers({ services, store, children }: Props) {
  return (
    <Provider store={store}>
      <RegistryContext value={registry}>
        <AppServicesContext value={services}>
          <I18nProvider>{children}</I18nProvider>
        </AppServicesContext>
      </RegistryContext>
    </Provider>
  )
}
