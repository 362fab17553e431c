export { NoticeLog } from './NoticeLog.tsx'
export { NoticeRegion } from './NoticeRegion.tsx'
