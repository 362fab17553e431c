import type { ReactNode } from 'react'
import { I18nextProvider } from 'react-i18next'
import { Provider } from 'react-redux'
import { i18next } from '../i18n/index.ts'
import { SurroundingsContext, type Surroundings } from '../store/context.ts'
import type { AppStore } from '../store/store.ts'

type Props = { readonly surroundings: Surroundings; readonly store: AppStore; readonly children: ReactNode }

/** Everything a component of the app may reach for. */
export function Providers({ surroundings, store, children }: Props) {
  return (
    <I18nextProvider i18n={i18next}>
      <Provider store={store}>
        <SurroundingsContext value={surroundings}>{children}</SurroundingsContext>
      </Provider>
    </I18nextProvider>
  )
}
