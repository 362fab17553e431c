/** Stands where `electron` would be imported in unit tests; touching it is a mistake, so it says so. */
export default new Proxy(
  {},
  {
    get(_target, name) {
      throw new Error(`electron.${String(name)} used in a unit test: hand the capability in through a port instead`)
    },
  },
)
