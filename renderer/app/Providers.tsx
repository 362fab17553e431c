import type { ReactNode } from 'react'
import { Provider } from 'react-redux'
import { SurroundingsContext, type Surroundings } from '../store/context.ts'
import type { AppStore } from '../store/store.ts'

type Props = { readonly surroundings: Surroundings; readonly store: AppStore; readonly children: ReactNode }

/** The contexts that every component of the app uses. */
export function Providers({ surroundings, store, children }: Props) {
  return (
    <Provider store={store}>
      <SurroundingsContext value={surroundings}>{children}</SurroundingsContext>
    </Provider>
  )
}
