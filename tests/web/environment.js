// The program sees the environment that node was started in.
Module.preRun = [function () { Object.assign(ENV, process.env); }];
