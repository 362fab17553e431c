import type { EngineClient } from '#shared/bridge/index.ts'
import type { AppDispatch, AppState } from '../../store/store.ts'

/** What an action gets when it runs. */
export type ActionContext = {
  readonly dispatch: AppDispatch
  readonly getState: () => AppState
  readonly engine: EngineClient
}
