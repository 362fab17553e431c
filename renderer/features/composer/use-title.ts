import { useAppSelector } from '../../store/hooks.ts'
import { channelTitle } from '../sidebar/index.ts'

/** The title of a channel or conversation. */
export const useTitle = (cid: string): string => useAppSelector((state) => channelTitle(state, cid))
