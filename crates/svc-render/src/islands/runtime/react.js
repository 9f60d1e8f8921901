// Exports of `React`.

export const React = {
  Fragment, Children, Suspense, createElement: h, cloneElement, createContext, createRef, memo,
  forwardRef, isValidElement, startTransition, useState, useReducer, useRef, useMemo, useCallback,
  useEffect, useLayoutEffect, useInsertionEffect, useImperativeHandle, useId, useContext,
  useSyncExternalStore, useTransition, useDeferredValue, useDebugValue,
};
