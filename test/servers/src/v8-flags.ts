/** Of a whole run (`test/all.sh`), for the Node processes that it starts (decision 0131). */
export const v8Flags = process.execArgv.filter((word) => word.startsWith('--interrupt-budget='))
