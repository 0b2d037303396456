"""The order of steps: short asynchronous code that asks the pure core and acts through ports."""
