import type { ReactNode } from 'react'
import { Provider } from 'react-redux'
import { RegistryContext } from '../registry/registry.ts'
import { AppServicesContext, type AppServices } from '../store/context.ts'
import type { AppStore } from '../store/store.ts'
import { registry } from './features.ts'

type Props = { readonly services: AppServices; readonly store: AppStore; readonly children: ReactNode }

/** The contexts that every component of the app uses. */
export function Providers({ services, store, children }: Props) {
  return (
    <Provider store={store}>
      <RegistryContext value={registry}>
        <AppServicesContext value={services}>{children}</AppServicesContext>
      </RegistryContext>
    </Provider>
  )
}
