import type { ManageRight, ManageState, ManageTopic } from '#shared/domain/manage/manage.ts'
import { useAppSelector } from '../../store/hooks.ts'
import type { AppState } from '../../store/store.ts'

/** What the viewer may administer; absent for most people. */
export const selectManage = (state: AppState): ManageState | undefined => state.entities.manage['self']

export const useManage = (): ManageState | undefined => useAppSelector(selectManage)

export const useMayManage = (right: ManageRight): boolean =>
  useAppSelector((state) => selectManage(state)?.rights.includes(right) === true)

/** Rises whenever something of this topic has changed, here or elsewhere: load again then. */
export const useTopic = (topic: ManageTopic): number =>
  useAppSelector((state) => selectManage(state)?.changes[topic] ?? 0)
