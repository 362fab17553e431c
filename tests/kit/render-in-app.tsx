import type { AppLanguage } from '#shared/domain/settings.ts'
import type { ReactNode } from 'react'
import { act, render, type RenderResult } from '@testing-library/react'
import { Provider } from 'react-redux'
import { followLanguage } from '../../renderer/app/theme.ts'
import { I18nProvider, startI18n } from '../../renderer/i18n/index.ts'
import { attach } from '../../renderer/bridge/attach.ts'
import { createEngineClient } from '../../renderer/bridge/client.ts'
import { createMediaCache } from '../../renderer/bridge/media.ts'
import { RegistryContext, createRegistry } from '../../renderer/registry/feature.ts'
import { AppServicesContext } from '../../renderer/store/hooks.ts'
import { createStore, type AppStore } from '../../renderer/store/store.ts'
import type { FakeBridge } from './fake-bridge/index.ts'

/** happy-dom has no idle time: here it comes with the next timer. */
Object.assign(window, {
  requestIdleCallback: (run: () => void): number => window.setTimeout(run),
  cancelIdleCallback: (request: number): void => window.clearTimeout(request),
})

export type Rendered = RenderResult & { readonly store: AppStore; readonly leave: () => void }

/**
 * Renders a part of the app on a fake bridge, attached, with pushes applied in the next microtask. It finds only what
 * the features in `registry` define: by default nothing.
 */
export async function renderInApp(
  element: ReactNode,
  bridge: FakeBridge,
  language: AppLanguage = 'en',
  registry = createRegistry([]),
): Promise<Rendered> {
  await startI18n(language)
  const engine = createEngineClient(bridge)
  const store = createStore(engine)
  const leave = await attach({
    bridge,
    engine,
    store,
    onEffect: () => {},
    onLost: (error) => {
      throw error
    },
    nextFrame: (run) => {
      let wanted = true
      queueMicrotask(() => {
        if (wanted) act(run)
      })
      return () => {
        wanted = false
      }
    },
  })
  const unfollow = followLanguage(store)
  const services = { bridge, engine, media: createMediaCache(bridge) }
  const rendered = render(
    <Provider store={store}>
      <RegistryContext value={registry}>
        <AppServicesContext value={services}>
          <I18nProvider>{element}</I18nProvider>
        </AppServicesContext>
      </RegistryContext>
    </Provider>,
  )
  return Object.assign(rendered, {
    store,
    leave: () => {
      unfollow()
      leave()
    },
  })
}
